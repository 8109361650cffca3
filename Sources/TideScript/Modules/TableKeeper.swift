import TideBindings
import TideLua

/// Saves the contents of Lua tables, so that they can be restored.
final class TableKeeper {
  private let copy: LuaFunction

  init(_ lua: LuaState) throws {
    let isCopy = try lua.function(named: "isCopy") { call in
      call.return(try call.table(0).isCopy)
    }
    guard
      let copy = try lua.function(from: Self.source).call([.function(isCopy)]).first?.function
    else { throw TideError(.unexpected, "a function of the runtime's own is missing") }
    self.copy = copy
  }

  /// Returns a function that restores a table's contents and metatable. With `isDeep` this includes
  /// all nested tables.
  func keep(_ table: LuaTable, isDeep: Bool) throws -> () -> Void {
    let restore = try copy.call([.table(table), .boolean(isDeep)]).first?.function
    return { _ = try? restore?.call([]) }
  }

  /// Library functions are captured in locals now, before a script can replace them.
  private static let source = """
    local next, type, rawset, rawequal = next, type, rawset, rawequal
    local getmetatable, setmetatable = getmetatable, setmetatable
    return function(isCopy) return function(first, isDeep)
      local kept, metatables, waiting, count = {}, {}, { first }, 1
      while count > 0 do
        local t = waiting[count]
        count = count - 1
        -- A copy of what an object holds is put back with the object.
        if not kept[t] and (getmetatable(t) ~= false or not isCopy(t)) then
          local contents = {}
          kept[t], metatables[t] = contents, getmetatable(t)
          for key, value in next, t do
            contents[key] = value
            if isDeep and type(value) == "table" then
              count = count + 1
              waiting[count] = value
            end
          end
        end
      end
      return function()
        for t, contents in next, kept do
          for key in next, t do
            if contents[key] == nil then rawset(t, key, nil) end
          end
          for key, value in next, contents do rawset(t, key, value) end
          if not rawequal(getmetatable(t), metatables[t]) and type(metatables[t]) ~= "boolean" then
            setmetatable(t, metatables[t])
          end
        end
      end
    end end
    """
}

extension LuaState {
  /// Runs a text and returns the function that it returns. The text captures library functions in
  /// locals now, before any script can replace them.
  func function(from text: String) throws -> LuaFunction {
    guard let function = try load(text, name: Self.ownChunk("tidelock")).call([]).first?.function
    else {
      throw TideError(.unexpected, "a function of the runtime's own is missing")
    }
    return function
  }
}
