import Glibc
import Testing
import TideBindings

@testable import TideScript

struct DiagnosticTests {
  /// Writes a script that goes away with the test's process.
  private func script(_ text: String) throws -> String {
    var template = Array("/tmp/tidelock-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    _ = write(descriptor, text, text.utf8.count)
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private func lines(
    _ text: String, _ message: String, line: Int, column: Int? = nil
  ) throws -> [String] {
    let path = try script(text)
    defer { unlink(path) }
    // As every script is that errors are about.
    _ = try ScriptFile.read(path)
    let location = SourceLocation(file: path, line: line, column: column)
    let diagnostic = Diagnostic(TideError(.wrongType, message, location: location))
    return diagnostic.lines().map { $0.replacing(path, with: "app.lua") }
  }

  @Test func `the location, the code, the line and a caret`() throws {
    #expect(
      try lines("local a\nlocal b = a.c", "no (local 'a')", line: 2)
        == ["app.lua:2:11: error[E0103]: no (local 'a')", "  local b = a.c", "            ^"])
  }

  @Test func `of a very long line only what lies near is looked at`() throws {
    let line = Array(String(repeating: "é == ", count: 100_000).utf8)
    let start = ContinuousClock.now
    for column in stride(from: 1, to: line.count, by: 600) {
      let excerpt = SourceExcerpt(line: line, byteColumn: column, naming: "x")
      #expect(excerpt.text.count <= 102)
      #expect(excerpt.head.count <= 4096)
    }
    #expect(ContinuousClock.now - start < .seconds(60))
  }

  @Test func `names what was meant where a global or a member of a library is missing`() throws {
    _ = try Runtime(file: "app.lua")
    func message(_ line: String, _ what: String) throws -> String {
      let path = try script(line)
      defer { unlink(path) }
      _ = try ScriptFile.read(path)
      let location = SourceLocation(file: path, line: 1)
      let error = TideError(.scriptError, "attempt to \(what)", location: location)
      return Diagnostic(error).message
    }
    #expect(
      try message("string.reep('x')", "call a nil value (field 'reep')")
        == "attempt to call a nil value (field 'reep'); did you mean \"string.rep\"?")
    #expect(
      try message("x = 1 + math . pii", "perform arithmetic on a nil value (field 'pii')")
        .hasSuffix("; did you mean \"math.pi\"?"))
    #expect(
      try message("prnt('x')", "call a nil value (global 'prnt')")
        .hasSuffix("; did you mean \"print\"?"))
    #expect(
      try message("contrller.list {}", "index a nil value (global 'contrller')")
        .hasSuffix("; did you mean \"controller\"?"))
    // Tables of the script's own, of which nothing is known.
    let own = "call a nil value (field 'reep')"
    for line in ["my.string.reep()", "mystring.reep()", "s:reep()", "reep()", "x.reep()"] {
      #expect(try message(line, own) == "attempt to \(own)")
    }
    #expect(
      try message("string.zzzz()", "call a nil value (field 'zzzz')").hasSuffix("(field 'zzzz')"))
    #expect(try message("x()", "call a nil value (local 'x')").hasSuffix("(local 'x')"))
  }

  @Test func `a known column counts bytes, and is told in characters`() throws {
    #expect(
      try lines("x = 'ä漢' .. y", "no", line: 1, column: 16)
        == ["app.lua:1:13: error[E0103]: no", "  x = 'ä漢' .. y", "               ^"])
  }

  @Test func `tabs do not move the caret`() throws {
    #expect(
      try lines("\t\tx.y = 1", "no 'x'", line: 1)
        == ["app.lua:1:3: error[E0103]: no 'x'", "    x.y = 1", "    ^"])
  }

  @Test func `a long line is cut around the location`() throws {
    let text = String(repeating: "a", count: 200) + " bad " + String(repeating: "b", count: 200)
    let shown = try lines(text, "'bad'", line: 1)
    #expect(shown[0] == "app.lua:1:202: error[E0103]: 'bad'")
    #expect(shown[1].count < 110)
    #expect(shown[1].dropFirst(shown[2].count - 1).hasPrefix("bad"))
  }

  @Test func `more lines of a message are indented`() throws {
    #expect(
      try lines("x", "one\ntwo", line: 1)
        == ["app.lua:1:1: error[E0103]: one", "  two", "  x", "  ^"])
  }

  @Test(arguments: [0, 2, 99])
  func `a line that is not there, or blank, is left out`(line: Int) throws {
    #expect(try lines("x\n\n", "no", line: line) == ["app.lua:\(line):1: error[E0103]: no"])
  }

  @Test func `what is no script is left out, whatever a chunk calls itself`() throws {
    let path = try script("one\ntwo\nsecret\nfour\n")
    defer { unlink(path) }
    let runtime = try Runtime(file: "app.lua")
    for name in ["@" + path, "=" + path, "@/etc/passwd"] {
      let error = #expect(throws: TideError.self) {
        try runtime.evaluate("load('\\n\\nerror(\"boom\")', '\(name)')()", as: Value.self)
      }
      let raised = try #require(error)
      #expect(raised.location?.file == String(name.dropFirst()))
      let lines = Diagnostic(raised).lines()
      #expect(lines.first?.hasSuffix("boom") == true)
      #expect(
        !lines.contains { $0.contains("secret") || $0.contains("daemon") || $0.contains("^") })
    }
  }

  @Test func `where a file lies that scripts know by its name`() {
    let settings = SettingsController(path: "/dev/null/folder/window.json")
    let error = #expect(throws: TideError.self) { try settings.save() }
    guard let error else { return }
    #expect(!error.message.contains("/"))
    let diagnostic = Diagnostic(error)
    #expect(diagnostic.lines().last == "  at /dev/null/folder/window.json")
    #expect(diagnostic.json.contains(#""path":"/dev/null/folder/window.json""#))
  }

  @Test func `a file that is not there is left out`() {
    let location = SourceLocation(file: "(evaluate)", line: 1)
    let diagnostic = Diagnostic(TideError(.wrongType, "no", location: location))
    #expect(diagnostic.text() == "(evaluate):1:1: error[E0103]: no")
  }

  @Test func `an error without a location names the file it was about`() {
    let error = TideError(.cycle, "round")
    #expect(Diagnostic(error, in: "app.lua").text() == "app.lua: error[E0201]: round")
    #expect(Diagnostic(error).text() == "error[E0201]: round")
  }

  @Test func `an error of another kind is unexpected`() {
    struct Odd: Error {}
    #expect(Diagnostic(describing: Odd()).text() == "error[E0900]: Odd()")
  }

  @Test func `callers follow, but for the innermost and those that are no script's`() {
    let error = TideError(
      .cycle, "no",
      traceback: """
        stack traceback:
        \ta.lua:1: in local 'f'
        \t[C]: in function 'pcall'
        \ta.lua:5: in main chunk
        """)
    #expect(Diagnostic(error).lines() == ["error[E0201]: no", "  from a.lua:5: in main chunk"])
  }

  @Test func `colours`() {
    let text = Diagnostic(TideError(.cycle, "no"), in: "a.lua").text(style: .colored)
    #expect(
      text == "\u{1b}[1ma.lua:\u{1b}[0m \u{1b}[1;31merror[E0201]:\u{1b}[0m \u{1b}[1mno\u{1b}[0m")
  }

  @Test func `a JSON line`() {
    let location = SourceLocation(file: "no \"such\" file", line: 3, column: 4)
    let diagnostic = Diagnostic(TideError(.cycle, "a\n\u{1}b", location: location))
    #expect(
      diagnostic.json
        == #"{"severity":"error","code":"E0201","name":"cycle","message":"a\n\u0001b","#
        + #""file":"no \"such\" file","line":3,"column":4}"#)
  }
}

struct CulpritFinderTests {
  @Test(arguments: [
    ("print(fruit.name)", "attempt to index a nil value (global 'fruit')", "fruit.name)"),
    ("local b = ab.a + a", "attempt to perform arithmetic on a nil value (local 'a')", "a + a"),
    ("fruit.colr = 1", "fruit has no property \"colr\"; did you mean \"color\"?", "colr = 1"),
    ("local 7 = x", "<name> expected near '7'", "7 = x"),
    ("x = (1", "')' expected (to close '(' at line 1) near <eof>", ""),
    ("x = = 2", "unexpected symbol near '='", "= = 2"),
    ("  if ok then error('rotten') end", "rotten", "error('rotten') end"),
    ("local v = assert(load(s))", "no text", "assert(load(s))"),
    ("   plain(line)", "something else", "plain(line)"),
    ("", "something else", ""),
    ("bind 'x'", "quote ' that does not end", "bind 'x'"),
    ("x = ''", "near ''", "x = ''"),
  ])
  func `the word that the message names`(line: String, message: String, rest: String) {
    let bytes = Array(line.utf8)
    let offset = CulpritFinder.offset(in: bytes, of: message)
    #expect(String(decoding: bytes[offset...], as: UTF8.self) == rest)
  }
}

@Suite struct `Escaping` {
  @Test func `nothing of an error reaches the terminal raw`() {
    let error = TideError(
      .scriptError, "bad \u{1b}[2J\nsecond\u{7}",
      location: SourceLocation(file: "a\u{1b}b.lua", line: 3),
      traceback: "stack traceback:\n\tone\n\tin \u{1b}x")
    let text = Diagnostic(error).text()
    #expect(
      text == """
        a\\27b.lua:3:1: error[E0402]: bad \\27[2J
          second\\7
          from in \\27x
        """)
    #expect(!Diagnostic(error).json.contains("\u{1b}"))
  }
}
