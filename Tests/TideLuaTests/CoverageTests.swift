import Testing
import TideLua

@Suite struct `Counting lines` {
  private func counts(
    _ script: String, _ prepare: (LuaState) throws -> Void = { _ in }
  ) throws -> [UInt32] {
    let state = try LuaState()
    try prepare(state)
    #expect(state.countLines())
    try state.run(script, name: "@a.lua")
    return Array(try #require(state.lineCounts["a.lua"]).dropFirst().prefix(12))
  }

  @Test func `each line counts as often as it runs`() throws {
    let counts = try counts(
      """
      local n = 0
      -- a remark
      for i = 1, 3 do
        n = n + i
      end
      if n > 100 then
        n = 0
      end
      """)
    #expect(counts[0] == 1)
    #expect(counts[1] == 0)
    #expect(counts[3] == 3)
    #expect(counts[5] == 1)
    #expect(counts[6] == 0)
  }

  @Test func `coroutines count, whoever makes and drives them`() throws {
    let state = try LuaState()
    // One is in stock before lines are counted.
    _ = try state.load("return 1", name: "@early.lua").start([])
    state.countLines()
    let function = try state.load(
      """
      local co = coroutine.wrap(function()
        coroutine.yield(1)
        return 2
      end)
      co()
      return co()
      """, name: "@a.lua")
    _ = try function.start([])
    let counts = try #require(state.lineCounts["a.lua"])
    #expect(counts[2] == 1)
    #expect(counts[3] == 1)
    #expect(counts[6] == 1)
    #expect(state.lineCounts["early.lua"] == nil)
  }

  @Test func `functions that come and go count in their own files`() throws {
    let state = try LuaState()
    state.countLines()
    let script = """
      local made = {}
      for i = 1, 20000 do
        local f = load("do return 1 end\\nreturn 2", "@" .. i % 7 .. ".lua")
        f()
        if i % 100 == 0 then collectgarbage() end
      end
      """
    try state.run(script, name: "@a.lua")
    let counts = state.lineCounts
    #expect(counts["a.lua"]?[4] == 20000)
    #expect((0..<7).reduce(0) { $0 + Int(counts["\($1).lua"]?[1] ?? 0) } == 20000)
    #expect((0..<7).allSatisfy { counts["\($0).lua"]?[2] == 0 })
  }

  @Test func `lines count after a turn was stopped, and what is no file does not`() throws {
    var configuration = LuaConfiguration()
    configuration.turn = .milliseconds(20)
    let state = try LuaState(configuration)
    state.countLines()
    let error = #expect(throws: LuaError.self) {
      try state.run("local n = 0\nwhile true do\n  n = n + 1\nend", name: "@loop.lua")
    }
    #expect(error?.kind == .time)
    #expect(state.lineCounts["loop.lua"]?[3] ?? 0 > 0)
    try state.run("local a = 1\nlocal b = 2", name: "@after.lua")
    #expect(state.lineCounts["after.lua"]?[2] == 1)
    try state.run("local a = 1", name: "=typed")
    #expect(state.lineCounts["typed"] == nil)
    state.close()
    #expect(state.lineCounts["after.lua"]?[1] == 1)
  }

  @Test func `lines count where steps are counted, too`() throws {
    var configuration = LuaConfiguration()
    configuration.countsSteps = true
    configuration.turn = .milliseconds(50)
    let state = try LuaState(configuration)
    state.countLines()
    try state.run("local a = 1", name: "@a.lua")
    #expect(state.lineCounts["a.lua"]?[1] == 1)
    #expect(throws: LuaError.self) { try state.run("while true do end", name: "@b.lua") }
    #expect(state.lineCounts["b.lua"]?[1] ?? 0 > 0)
  }

  @Test func `the lines that can run are those of all functions, made or not`() throws {
    let state = try LuaState()
    let lines = try state.runnableLines(
      of: """
        -- first
        local a = 1

        function never(...)
          local x = { "long" .. a,
            2.5 }
          return function()
            return x, ...
          end, 7
        end
        if a then
          goto out
        end
        ::out::
        """.replacing(", ...", with: ""))
    #expect(lines.filter { ![9, 10, 13].contains($0) } == [2, 4, 5, 6, 8, 11, 12])
    #expect(throws: LuaError.self) { try state.runnableLines(of: "x = = 1") }
    #expect(try state.runnableLines(of: "") == [])
    // Further apart than a line's difference goes.
    let far = "local a = 1" + String(repeating: "\n", count: 400) + "a = 2\nreturn a"
    #expect(try state.runnableLines(of: far) == [1, 401, 402])
  }

  @Test func `long functions have all their lines`() throws {
    let state = try LuaState()
    let text = (1...3000).map { "x\($0) = \($0) .. 'a'" }.joined(separator: "\n")
    #expect(try state.runnableLines(of: text) == Array(1...3000))
  }
}
