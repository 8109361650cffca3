import FoundationEssentials
import Glibc
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

  /// Hooks do not run in a finalizer, so that this takes the interpreter with it.
  private static let endless =
    "local function endless() setmetatable({}, { __gc = function() while true do end end }) "
    + "collectgarbage() collectgarbage() end "

  @Test func `what takes the interpreter with it leaves the tests after it another one`() throws {
    let result = try check(
      Self.endless + """
        describe('d', function()
          setup(function() print 'set up' end)
          it('one', function() end)
          it('two', endless)
          describe('e', function()
            it('three', endless)
            it('four', function() finally(endless) end)
          end)
          it('five', function() end)
        end)
        """,
      [
        "ok 1 - d one", "not ok 2 - d two", "not ok 3 - d e three", "not ok 4 - d e four",
        "ok 5 - d five", "ok 6 - goes on",
      ]
      // What is no loop has to stay below it on a busy machine, too.
    ) { $0.timeLimit = 0.5 }
    #expect(result.text.contains("a_spec.lua:1: it ran for more than 0.5 seconds"))
    #expect(result.text.split(separator: "\n").count { $0 == "set up" } == 4)
    #expect(!result.text.contains("closed"))
  }

  @Test func `hooks and blocks that take the interpreter with them are passed over`() throws {
    _ = try check(
      Self.endless + """
        describe('body', function() endless() end)
        describe('set-up', function() setup(endless) it('not run', function() end) end)
        describe('after', function() after_each(endless) it('run', function() end) end)
        describe('end', function() teardown(endless) it('run', function() end) end)
        """,
      [
        "not ok 1 - body", "not ok 2 - set-up setup", "ok 3 - after run",
        "not ok 4 - after after_each", "ok 5 - end run", "not ok 6 - end teardown",
        "ok 7 - goes on",
      ]
    ) { $0.timeLimit = 0.1 }
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

  @Test func `what is no function is the mistake of the word that got it`() throws {
    let result = try check(
      "it('x', 5)\nit('y', setmetatable({}, { __call = function() end }))",
      [
        "not ok 1 - x", "ok 2 - y", "ok 3 - goes on",
      ])
    #expect(result.text.contains("a_spec.lua:1: it takes a function, and got a number"))
  }

  @Test func `an error's level that points out of the spec leaves the place of the test`() throws {
    let result = try check("it(function() error('far', 3) end)", Self.stopped)
    #expect(result.text.contains("Failure message: a_spec.lua:1: far"))
  }

  @Test func `a mistake that ours stumbles over is reported in the spec's line`() throws {
    let result = try check(
      "it(function()\n  assert.matches('[', 'x')\nend)\nit(function()\n  require 'say':set('k', '%d')\n"
        + "  require 'say'('k', { {} })\nend)",
      ["not ok 1 - it", "not ok 2 - it", "ok 3 - goes on"])
    #expect(result.text.contains("a_spec.lua:2: malformed pattern (missing ']')"))
    #expect(result.text.contains("a_spec.lua:6: bad argument #1 to 'format'"))
  }

  @Test func `stubs that are left keep no assertion from working`() throws {
    let names = [
      ("table", "concat"), ("table", "unpack"), ("table", "insert"), ("table", "sort"),
      ("debug", "getinfo"), ("debug", "traceback"), ("os", "time"),
    ]
    for (library, name) in names {
      let result = try check(
        "it('stubs', function() stub(\(library), '\(name)') end)\n"
          + "it(function() assert.same({ 1, { 'a' } }, { 1, { 'b' } }) end)",
        ["ok 1 - stubs", "not ok 2 - it", "ok 3 - goes on"])
      #expect(result.text.contains("a_spec.lua:2: Expected objects to be the same."))
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

  @Test func `pipes, links that lead nowhere and folders within themselves hold nothing up`() throws
  {
    let folder = try SpecFolder()
    try folder.write("spec/a_spec.lua", "it('runs', function() end)")
    let spec = folder.path + "/spec/"
    #expect(mkfifo(spec + "pipe_spec.lua", 0o600) == 0)
    #expect(symlink("nowhere", spec + "gone_spec.lua") == 0)
    #expect(symlink("ring_spec.lua", spec + "ring_spec.lua") == 0)
    #expect(symlink(".", spec + "self") == 0)
    #expect(symlink("..", spec + "up") == 0)
    let result = try folder.run { $0.roots = [folder.path + "/spec"] }
    #expect(
      result.tests == [
        "not ok 1 - spec/gone_spec.lua", "not ok 2 - spec/pipe_spec.lua",
        "not ok 3 - spec/ring_spec.lua", "ok 4 - runs",
      ])
    #expect(result.text.contains("cannot read spec/pipe_spec.lua: it is not a regular file"))
  }

  @Test func `a file that is named twice runs once`() throws {
    let folder = try SpecFolder()
    let file = try folder.write("a_spec.lua", "it('x', function() end)")
    let result = try folder.run { $0.roots = [file, folder.path, file] }
    #expect(result.tests == ["ok 1 - x"])
  }

  @Test func `specs need not be UTF-8, but may not be UTF-16`() throws {
    let folder = try SpecFolder()
    try folder.write(
      "a_spec.lua",
      Data(Array("it('x', function() assert.equal(1, #'".utf8) + [0xE9] + Array("') end)".utf8)))
    try folder.write("b_spec.lua", Data([0xFF, 0xFE] + Array("i\0t\0(\0)\0".utf8)))
    let result = try folder.run()
    #expect(result.tests == ["not ok 1 - b_spec.lua", "ok 2 - x"])
    #expect(result.text.contains("cannot read b_spec.lua: it is UTF-16; save it as UTF-8"))
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
    #expect(pattern.text.contains("is not a Lua pattern"))
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

  @Test func `what is no output handler is complained of`() throws {
    let folder = try SpecFolder()
    try folder.write("a_spec.lua", "it('x', function() end)")
    for (text, complaint) in [
      ("return 5", "it gives no function that makes a handler, but a number"),
      ("return function() end", "its function gives no handler, but a nil"),
      ("return function() error 'no ink' end", "no ink"),
    ] {
      let handler = try folder.write("out.lua", text)
      let result = try folder.run(handler)
      #expect(result.complaints.first?.contains(complaint) == true)
      #expect(result.text.hasPrefix("+\n1 success"))
    }
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
