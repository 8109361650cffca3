import Testing
import TideLua
import TideScript

@Suite struct `A list that a script's comparison sorts` {
  private let runtime: Runtime

  init() throws {
    runtime = try Runtime(file: "test.lua", configuration: .init(turn: .seconds(60)))
  }

  private func run(_ script: String) throws -> [LuaValue] {
    try runtime.lua.run(script, name: "@test.lua")
  }

  /// Random edits, after each of which the list must be what sorting the source stably gives.
  @Test(arguments: ["number", "text", "object", "mixed"])
  func `is in order after any edits, with equal rows as in the source`(kind: String) throws {
    let result = try run(
      """
      math.randomseed(7)
      local kind = "\(kind)"
      local Row = class "Row" { key = 0 }
      local function make()
        local n = math.random(0, 9)
        if kind == "text" then return string.rep("x", n) end
        if kind == "object" then return Row { key = n } end
        if kind == "mixed" and n % 2 == 0 then return n + 0.5 end
        return n
      end
      local function key(row)
        if kind == "text" then return #row elseif kind == "object" then return row.key end
        return row
      end
      local source = list {}
      local sorted = source:sorted(function(a, b) return key(a) < key(b) end)
      local function check(step)
        local wanted = {}
        for i, row in ipairs(source) do wanted[i] = { row = row, i = i } end
        table.sort(wanted, function(a, b)
          if key(a.row) ~= key(b.row) then return key(a.row) < key(b.row) end
          return a.i < b.i
        end)
        assert(#sorted == #wanted, "length at step " .. step)
        for i, row in ipairs(sorted) do
          assert(row == wanted[i].row, "row " .. i .. " at step " .. step)
        end
      end
      for step = 1, 300 do
        local at = #source == 0 and 0 or math.random(1, #source)
        local choice = math.random(1, 5)
        if choice <= 2 or at == 0 then source:insert(math.random(1, #source + 1), make())
        elseif choice == 3 then source:remove(at)
        elseif choice == 4 then source[at] = make()
        elseif kind == "object" then source[at].key = math.random(0, 9)
        else source:insert(at, source[at]) end
        check(step)
      end
      return true
      """)
    #expect(result == [.boolean(true)])
  }

  @Test func `keeps its order where the comparison fails, and lists the error with its line`()
    throws
  {
    let results = try run(
      """
      local source = list { 3, 1, 2 }
      local sorted = source:sorted(function(a, b)
        if a == 9 or b == 9 then error "no nines" end
        return a < b
      end)
      source:insert(4, 9)
      return #sorted, sorted[1]
      """)
    #expect(results == [.integer(4), .integer(1)])
    #expect(runtime.errors.contains { "\($0)".contains("no nines") && "\($0)".contains(":3") })
  }
}
