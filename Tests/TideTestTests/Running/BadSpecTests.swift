import Testing

@testable import TideTest

/// Whatever a spec does is reported against the right test, and the rest still runs.
@Suite struct `Bad specs` {
  private func check(
    _ spec: String, _ expected: [String], sourceLocation: SourceLocation = #_sourceLocation,
    _ configure: (inout TestOptions) -> Void = { _ in }
  ) throws -> SpecResult {
    let folder = try SpecFolder()
    try folder.write("a_spec.lua", spec + "\nit('goes on', function() end)\n")
    let result = try folder.run("TAP", configure)
    #expect(result.tests == expected, sourceLocation: sourceLocation)
    return result
  }

  private static let stopped = ["not ok 1 - it", "ok 2 - goes on"]

  @Test func `a test that loops is stopped at its line`() throws {
    let result = try check("it(function()\n  while true do end\nend)", Self.stopped) {
      $0.timeLimit = 0.1
    }
    #expect(result.text.contains("a_spec.lua:2: it ran for more than 0.1 seconds"))
  }

  @Test func `a test that swallows errors is stopped where it loops`() throws {
    let result = try check(
      "it(function()\n  while true do\n    pcall(function()\n      while true do end\n    end)\n  end\nend)",
      Self.stopped
    ) { $0.timeLimit = 0.1 }
    #expect(result.text.contains("a_spec.lua:4: it ran for more than"))
  }

  @Test func `a test that takes all memory leaves the others some`() throws {
    let result = try check(
      "it(function() local t = {} while true do t[#t + 1] = ('x'):rep(100000) .. #t end end)",
      Self.stopped
    ) { $0.memory = 16 << 20 }
    #expect(result.text.contains("not enough memory"))
  }

  @Test func `a test that leaves fails`() throws {
    for call in ["os.exit(0)", "exit(3)", "pcall(os.exit) error('left')"] {
      _ = try check("it(function() \(call) end)", Self.stopped)
    }
  }

  @Test func `hooks that loop are reported, and their tests not run`() throws {
    _ = try check(
      "describe('d', function() setup(function() while true do end end) it('x', function() end) end)",
      ["not ok 1 - d setup", "ok 2 - goes on"]
    ) { $0.timeLimit = 0.1 }
  }

  @Test func `whatever is raised is shown`() throws {
    for value in ["{}", "nil", "print", "setmetatable({}, { __tostring = error })", "0/0"] {
      _ = try check("it(function() error(\(value)) end)", Self.stopped)
    }
    for value in ["{}", "nil", "true"] {
      _ = try check("it(function() pending(\(value)) end)", Self.second("ok 1 - # SKIP", value))
    }
  }

  private static func second(_ first: String, _ value: String) -> [String] {
    switch value {
    case "nil": ["\(first) it", "ok 2 - goes on"]
    case "true": ["\(first) a_spec.lua:1: true", "ok 2 - goes on"]
    default: ["\(first) a_spec.lua:1: {", "ok 2 - goes on"]
    }
  }

  @Test func `yielding out of a test is an error`() throws {
    _ = try check("it(function() coroutine.yield() end)", Self.stopped)
  }

  @Test func `files that are no Lua, or cannot be read, are named`() throws {
    let folder = try SpecFolder()
    try folder.write("a_spec.lua", "x = = 1")
    try folder.write("b_spec.lua", "\u{1B}Lua\u{0}")
    try folder.write("c_spec.lua", "it('runs', function() end)")
    try folder.write("d_spec.lua/e_spec.lua", "it('runs, too', function() end)")
    let result = try folder.run()
    #expect(
      result.tests == [
        "not ok 1 - a_spec.lua", "not ok 2 - b_spec.lua", "ok 3 - runs", "ok 4 - runs, too",
      ])
    #expect(!result.isGood)
  }

  @Test func `no file, and no such file, are errors`() throws {
    let folder = try SpecFolder()
    let none = try folder.run()
    #expect(!none.isGood)
    #expect(none.text.contains("No test files found matching Lua pattern: _spec"))
    let missing = try folder.run { $0.roots = ["nowhere"] }
    #expect(missing.text.contains("Cannot find file or directory: nowhere"))
    let wrong = try SpecFolder()
    try wrong.write("a_spec.lua", "it('x', function() end)")
    let pattern = try wrong.run { $0.patterns = ["["] }
    #expect(pattern.text.contains("is no Lua pattern"))
  }

  @Test func `a report that cannot be written is complained of, and printed`() throws {
    let folder = try SpecFolder()
    try folder.write("a_spec.lua", "it('x', function() end)")
    let result = try folder.run("junit") { $0.outputArguments = ["nowhere/at/all.xml"] }
    #expect(!result.isGood)
    #expect(result.complaints.count == 1)
    #expect(result.text.contains("<testcase"))
  }

  @Test func `an unknown report is complained of, and the usual one taken`() throws {
    let folder = try SpecFolder()
    try folder.write("a_spec.lua", "it('x', function() end)")
    let result = try folder.run("TIP")
    #expect(!result.isGood)
    #expect(result.complaints.first?.contains("did you mean \"TAP\"") == true)
    #expect(result.text.hasPrefix("+\n1 success"))
  }

  @Test func `a helper that fails keeps all tests from running`() throws {
    let folder = try SpecFolder()
    try folder.write("a_spec.lua", "it('x', function() end)")
    let helper = try folder.write("help.lua", "error 'no help'")
    for name in [helper, "nowhere.lua", "no.such.module"] {
      #expect(throws: TestSetupError.self) { try folder.run { $0.helper = name } }
    }
  }
}
