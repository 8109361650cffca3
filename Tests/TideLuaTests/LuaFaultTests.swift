import Testing

@testable import TideLua

@Suite struct `Faults of the Lua library` {
  private var release: Int {
    get throws {
      try #require(LuaInterpreter.version.split(separator: ".").last.flatMap { Int($0) })
    }
  }

  @Test func `are out of scripts' reach in every release that this library knows`() throws {
    let release = try self.release
    #expect(LuaInterpreter.faults.isEmpty)
    // Where a later release has mended all of them, nothing is guarded, which would take time.
    #expect(LuaInterpreter.isGuarded == LuaFault.all.contains { release < $0.mendedIn })
  }

  @Test func `are in none that is built for installed programs`() {
    #expect(!LuaInterpreter.isOwnBuild || LuaInterpreter.faults.isEmpty)
  }

  @Test func `leave a __concat that was set late the stack that there is`() throws {
    let state = try LuaState()
    let script = """
      local mt = {}
      local x = setmetatable({}, mt)
      local function deep(n) if n > 0 then return 1 + deep(n - 1) end return 0 end
      mt.__concat = function(a, b) return b .. deep(5) end
      return x .. "a"
      """
    #expect(try state.run(script, name: "=late") == ["a5"])
    let deeper = script.replacing("deep(5)", with: "deep(20000)")
    guard LuaInterpreter.hasConcatenationFault else {
      #expect(try state.run(deeper, name: "=late") == ["a20000"])
      return
    }
    let error = #expect(throws: LuaError.self) { try state.run(deeper, name: "=late") }
    #expect(error?.kind == .memory)
    #expect(error?.message.contains("'__concat' that was set after 'setmetatable'") == true)
    // One that is there when a table gets the metatable has a stack of its own.
    let sooner = deeper.replacing("return x", with: "setmetatable(x, mt) return x")
    #expect(try state.run(sooner, name: "=late") == ["a20000"])
  }

  /// Source that older releases compile wrongly or cannot explain, and the release that mended it.
  struct Spoilt: Sendable, CustomStringConvertible {
    let source: String
    let mendedIn: Int
    let description: String
  }

  static let spoilt = [
    Spoilt(
      source: "local a = ... return a" + String(repeating: ".b", count: 2_000), mendedIn: 7,
      description: "a chain"),
    Spoilt(
      source: "local t = {} return function(a, b) return t[a < b] end", mendedIn: 8,
      description: "a comparison"),
    Spoilt(
      source: "local x = { " + (1...300).map { "\($0).5" }.joined(separator: ", ")
        + " } local a = 5 return 1 ~ (a or 3)",
      mendedIn: 5, description: "a bitwise operator"),
  ]

  @Test(arguments: spoilt)
  func `keep code from being run that they spoil`(_ code: Spoilt) throws {
    let state = try LuaState()
    if try self.release >= code.mendedIn {
      _ = try state.load(code.source, name: "=chunk")
      return
    }
    let error = #expect(throws: LuaError.self) { try state.load(code.source, name: "=chunk") }
    #expect(error?.kind == .syntax)
    #expect(error?.location?.description == "chunk:1")
    #expect(error?.message.contains(code.description) == true)
    // What it does not concern is run.
    #expect(try state.evaluate("(5 or 3) ~ 1 == 4", as: Bool.self))
  }
}
