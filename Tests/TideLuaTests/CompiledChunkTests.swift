import Testing
import TideLua

@Suite struct `Compiled chunks` {
  @Test func `one is loaded by several interpreters, each with globals of its own`() throws {
    let chunk = try LuaState().compile("count = (count or 0) + ...; return count", name: "=c")
    let first = try LuaState()
    let second = try LuaState()
    let count = try first.load(chunk)
    #expect(try count.call([2]).first == 2)
    #expect(try count.call([3]).first == 5)
    #expect(try second.load(chunk).call([1]).first == 1)
  }

  @Test func `it takes its globals from the environment that it is given`() throws {
    let state = try LuaState()
    let chunk = try state.compile("return name", name: "=c")
    let environment = try state.table(["name": "inner"])
    #expect(try state.load(chunk, environment: environment).call([]).first == "inner")
    #expect(try state.load(chunk).call([]).first == .nil)
  }

  @Test func `its errors name the chunk and the line`() throws {
    let chunk = try LuaState().compile("local a\n\nlocal b = a.c", name: "=[ours]")
    let state = try LuaState()
    let error = #expect(throws: LuaError.self) { try state.load(chunk).call([]) }
    #expect(error?.location == LuaLocation(chunk: "[ours]", line: 3))
  }

  @Test func `a text that is no Lua is refused when it is compiled`() throws {
    let state = try LuaState()
    #expect(throws: LuaError.self) { try state.compile("x = = 1", name: "=c") }
    #expect(try state.run("return 1", name: "=after").first == 1)
  }

  @Test func `loading one where memory is short throws and leaves the interpreter usable`() throws {
    let body = (1...4000).map { "local function f\($0)() return 'text \($0)' end f\($0)()" }
    let text = body.map { "do \($0) end" }.joined(separator: "\n")
    let chunk = try LuaState().compile(text, name: "=large")
    var configuration = LuaConfiguration()
    configuration.memory = 256 << 10
    let state = try LuaState(configuration)
    #expect(throws: LuaError.self) { try state.load(chunk) }
    #expect(try state.run("return 1", name: "=after").first == 1)
  }

  @Test func `scripts cannot load compiled code`() throws {
    let state = try LuaState()
    let results = try state.run(
      "return load(string.char(27) .. 'Lua', 'c', 'b')", name: "=script")
    #expect(results.first == .nil)
  }
}
