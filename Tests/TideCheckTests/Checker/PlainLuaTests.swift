import TestFolders
import TideBindings
import TideCheck
import TideScript
import TideTest
import Testing

/// Mistakes that have nothing to do with the API, and what looks like one and is none.
@Suite struct `A check of plain Lua` {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// The problems of an app, as `file:line:column code`.
  private func found(_ files: [String: String]) throws -> [String] {
    for (name, text) in files { folder.write(text, to: name) }
    return try ScriptCheck(specs: .tidelock).run([folder.path]).flatMap { file in
      file.problems.map { problem in
        let location = problem.error.location
        let name = file.path.split(separator: "/").last.map(String.init) ?? ""
        return "\(name):\(location?.line ?? 0):\(location?.column ?? 0) \(problem.error.code.name)"
      }
    }
  }

  private func found(_ text: String) throws -> [String] { try found(["app.lua": text]) }

  private func messages(_ text: String) throws -> [String] {
    folder.write(text, to: "app.lua")
    return try ScriptCheck(specs: .tidelock).run([folder.path]).flatMap { file in
      file.problems.map(\.error.message)
    }
  }

  // MARK: Formats

  @Test(arguments: [
    ("print(string.format(\"%d of %s\", 1))", 28), ("print((\"%02d:%02d\"):format(1))", 14),
    ("print(string.format(\"%02y\", 1))", 22), ("print(string.format(\"%d\", 1, 2))", 30),
    ("print(string.format(\"%d\", \"x\"))", 27), ("print(string.format(\"%d\", 1.5))", 27),
    ("local f = \"%s %s\" print(f:format(1))", 27), ("print(string.format(\"100%\"))", 25),
    ("local t = { a = \"%d\" } print(t.a:format())", 34),
    ("local fmt = string.format print(fmt(\"%5q\", 1))", 38),
  ])
  func `a format has as many values as directives, and of their types`(
    text: String, column: Int
  ) throws {
    #expect(try found(text) == ["app.lua:1:\(column) formatArguments"])
  }

  @Test(arguments: [
    "print(string.format(\"%5.2f %-10s %% %q %x %5s\", 1, 2, 3, 4, 5))",
    "print(string.format(\"%d %d\", table.unpack { 1, 2 }))", "print((\"%s\"):format(...))",
    "print(string.format(\"%d\", \"7\"))", "local f = ... print(f:format(1), string.format(f))",
  ])
  func `a format that goes with its values is left alone`(text: String) throws {
    #expect(try found(text) == [])
  }

  // MARK: Lua's library

  @Test(arguments: [
    ("print(string.rep(\"-\"))", 7), ("local t = {} table.insert(t)", 14), ("print(math.max())", 7),
    ("print(tostring())", 7), ("print((\"a\"):rep())", 13), ("print(math.floor(1, 2))", 21),
    ("local s = \"a\" print(s:upper(1))", 29), ("warn()", 1), ("error(\"x\", 1, 2)", 15),
    ("print(coroutine.running(1))", 25),
  ])
  func `the library's functions take neither fewer nor more arguments`(
    text: String, column: Int
  ) throws {
    #expect(try found(text) == ["app.lua:1:\(column) libraryArguments"])
  }

  @Test(arguments: [
    "print(math.max(table.unpack { 1, 2 }), table.insert({}, ...), math.floor(1, nil))",
    "function string.rep() end print(string.rep())", "print(os.date(), os.time(), math.random())",
    "print() error() coroutine.yield()",
  ])
  func `calls that may have enough arguments are left alone`(text: String) throws {
    #expect(try found(text) == [])
  }

  @Test func `a method that no value has is found`() throws {
    #expect(
      try found("print(string.sub(\"a\", 1):uppercase())") == ["app.lua:1:26 unknownMember"])
    #expect(
      try found("return function(text) return text:gmach(\".\") end")
        == ["app.lua:1:35 unknownMember"])
    #expect(
      try found("local M = {} function M.gmach() end return M, function(m) m:gmach() end") == [])
    // A plural is another method.
    #expect(try found("return function(pipe) return pipe:bytes() end") == [])
  }

  // MARK: Globals

  @Test func `an assignment in a function makes no global by accident`() throws {
    #expect(
      try found("local function f() gone = 1 end f()") == ["app.lua:1:20 accidentalGlobal"])
    // The body of a main script declares it, and so does the table of globals.
    #expect(try found("total = 0\nlocal function f() total = 1 end f()") == [])
    #expect(try found("_G.total = 0\nlocal function f() total = 1 end f()") == [])
    #expect(try found("local function f() if not once then once = 1 end end f()") == [])
  }

  @Test func `a global of a main script that only resembles a variable is told`() throws {
    #expect(
      try found("local total = 0\nfor i = 1, 3 do totla = total + i end")
        == ["app.lua:2:17 accidentalGlobal"])
    #expect(try found("local total = 0\ntotal2 = total + 1") == [])
    #expect(try found("local total = 0\ntotla = total + 1 print(totla)") == [])
  }

  @Test func `a misspelt assignment does not vouch for the name`() throws {
    let text = "total = 0\nlocal function f(n) totl = total + n end\nf(1) print(totl)"
    #expect(
      try found(text) == ["app.lua:2:21 accidentalGlobal", "app.lua:3:12 accidentalGlobal"])
  }

  @Test func `what a module assigns is declared if another script reads it`() throws {
    let main = "require \"counts\"\nprint(count)"
    #expect(
      try found(["app.lua": main, "counts.lua": "count = 0\nlost = 1"])
        == ["counts.lua:2:1 accidentalGlobal"])
  }

  // MARK: Local variables

  @Test(arguments: [
    "local half = 2", "local function f() end", "local a, b = 1, 2 print(a)", "local r = 1\nr = 2",
    "local values, other\nvalues = {} print(values)",
  ])
  func `a variable that nothing reads is found`(text: String) throws {
    #expect(try found(text).map { $0.hasSuffix(" unusedLocal") } == [true])
  }

  @Test(arguments: [
    "local _ = 2 local _later = 3", "local ok, reason = pcall(print) print(ok)",
    "local _, key = next {} print(key)", "for i, x in ipairs {} do print(x) end",
    "local m = model \"m\" { n = 1 } bind \"m.n -> m.n\"", "local type = type",
    "local handle <close> = setmetatable({}, {})", "local M = {} function M.f() end",
    "local function f() return f end", "local x x = function() return x end",
    "local text = coroutine.yield()",
  ])
  func `a variable that may be unused is left alone`(text: String) throws {
    #expect(try found(text) == [])
  }

  @Test func `a module that only defines functions has to be used`() throws {
    let module = "local M = {} function M.f() end return M"
    #expect(
      try found(["app.lua": "local dates = require \"dates\"", "dates.lua": module])
        == ["app.lua:1:7 unusedLocal"])
    #expect(
      try found(["app.lua": "local dates = require \"dates\"", "dates.lua": "print(1) " + module])
        == [])
  }

  @Test func `a variable is declared once in a block`() throws {
    #expect(
      try found("local a = 1 print(a)\nlocal a = 2 print(a)") == ["app.lua:2:7 repeatedLocal"])
    #expect(try found("local a = \"A\"\nlocal a = a:lower() print(a)") == [])
    #expect(try found("local a = 1 do local a = 2 print(a) end print(a)") == [])
    #expect(
      try found("local a, e = f() print(a, e) local b, e = f() print(b, e) function f() end") == [])
  }

  // MARK: Tables

  @Test(arguments: [
    ("print({ paid = false, paid = true })", 23), ("print({ [1] = 1, [1] = 2 })", 19),
    ("local m = model \"m\" { a = 1, [\"a\"] = 2 } print(m)", 32),
    ("local C = class \"C\" { a = 1, a = 2 } print(C)", 30),
  ])
  func `a key stands once in a table`(text: String, column: Int) throws {
    #expect(try found(text) == ["app.lua:1:\(column) repeatedKey"])
  }

  @Test(arguments: [
    "local o = { a = 1 } local x = o.b or 5 print(x)",
    "local M = { go = 1 } if M.x then print(M.x) end",
    "local o = { a = 1 } print(type(o.c) == \"number\" and o.c)",
    "local o = { a = 1 } print(o.d ~= nil and o.d)",
  ])
  func `a test whether a table has a member is no mistake`(text: String) throws {
    #expect(try found(text) == [])
  }

  @Test func `a test does not hide a misspelt member`() throws {
    #expect(
      try found("local o = { size = 1 } print(o.szie or 5)") == ["app.lua:1:32 unknownMember"])
  }

  // MARK: The sandbox

  @Test func `os.exit is told to be a global, and string.dump to be closed`() throws {
    #expect(
      try messages("os.exit(0)")
        == ["os has no \"exit\"; write exit(0), which is a global and ends the app"])
    #expect(
      try messages("print(string.dump(print))")
        == ["string has no \"dump\": scripts of an app run in a sandbox"])
    #expect(try messages("print(os.now())") == ["os has no \"now\"; write now, which is a global"])
    folder.write("it(\"a\", function() print(string.dump(print)) end)", to: "spec/a_spec.lua")
    #expect(try messages("return view.spacer {}") == [])
  }

  @Test func `only a module that the names around it can reach is suggested`() throws {
    let files = [
      "lib/app.lua": "require \"wrods\"\nrequire \"prices\"", "lib/words.lua": "return {}",
      "price.lua": "return {}",
    ]
    for (name, text) in files { folder.write(text, to: name) }
    let found = try ScriptCheck().run([folder.path + "/lib/app.lua"]).flatMap(\.problems)
    #expect(found.map(\.error.code) == [.module, .module])
    #expect(
      found.map { $0.error.message.contains("did you mean \"words\"") } == [true, false])
    #expect(found.allSatisfy { !$0.error.message.contains("\"price\"") })
  }

  @Test func `a spec finds views by their titles as well`() throws {
    let spec = "it(\"a\", function() ui.mount \"app.lua\" ui.tap \"Reset\" ui.tap \"rset\" end)"
    let app = """
      ask { text = "Sure?", buttons = { "Reset", "Keep" } }
      return view.button { id = "reset", title = "Begin again" }
      """
    #expect(
      try found(["app.lua": app, "spec/app_spec.lua": spec]) == ["app_spec.lua:1:62 unknownView"])
  }
}
