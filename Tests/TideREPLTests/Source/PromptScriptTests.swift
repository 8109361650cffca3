import Testing

@testable import TideREPL

@Suite struct `A text of several statements` {
  @Test(arguments: [
    ("x = 1\nx + 1\n:mem", ["x = 1", "x + 1", ":mem"]),
    (":time 1+1\n:mem\n", [":time 1+1", ":mem"]),
    ("print(1)\n2 + 2", ["print(1)", "2 + 2"]),
    ("f\n(g)", ["f\n(g)"]),
    ("list\n  :map(f)\n  :each(g)", ["list\n  :map(f)\n  :each(g)"]),
    ("x = 1 +\n2\ny", ["x = 1 +\n2", "y"]),
    ("-- c\nx = 1 -- d\n-- e\ny", ["-- c\nx = 1 -- d", "-- e\ny"]),
    ("--[[ a\n:mem ]] x\ny", ["--[[ a\n:mem ]] x", "y"]),
    ("s = [[\n:mem\n]]\ns", ["s = [[\n:mem\n]]", "s"]),
    ("for i = 1, 2\ndo f(i) end\ng()", ["for i = 1, 2\ndo f(i) end", "g()"]),
    ("x = 1\ndo local y end\nx", ["x = 1", "do local y end", "x"]),
    ("local t = { 1,\n2 }\n#t", ["local t = { 1,\n2 }", "#t"]),
    // A return leaves the whole text.
    ("if x then return end\nf()", ["if x then return end\nf()"]),
    ("local f <close> = g()\nf.x = 1", ["local f <close> = g()\nf.x = 1"]),
    ("function f() return 1 end\nf()", ["function f() return 1 end", "f()"]),
    ("-- help\n:help don't\nx", ["-- help", ":help don't", "x"]),
    ("", [""]), ("x", ["x"]),
  ])
  func `is divided where a line begins one`(_ text: String, _ parts: [String]) {
    let script = PromptScript(text)
    #expect(script.parts.map(\.text) == parts)
  }

  @Test func `knows the line of each`() {
    #expect(PromptScript("x = {\n1 }\n\n-- c\ny\n:mem").parts.map(\.line) == [1, 3, 6])
  }

  @Test func `is whole again when its parts are joined`() {
    let pieces = ["x = 1", ":mem", "f(", ")", "-- c", "--[[", "]]", "'a", "end", "do", "return"]
    var state: UInt64 = 11
    for _ in 0..<2000 {
      var lines: [String] = []
      for _ in 0..<6 {
        state = state &* 6_364_136_223_846_793_005 &+ 1
        lines.append(pieces[Int(state >> 33) % pieces.count])
      }
      let text = lines.joined(separator: "\n")
      #expect(PromptScript(text).parts.map(\.text).joined(separator: "\n") == text)
    }
  }
}

@Suite struct `A script that comes line by line` {
  private func mayEnd(_ lines: String...) -> Bool {
    var scanner = StatementScanner()
    for line in lines { scanner.add(line: line) }
    return scanner.mayEnd
  }

  @Test func `may end where nothing is open`() {
    #expect(mayEnd("x = 1"))
    #expect(mayEnd("f(", ")"))
    #expect(mayEnd("function f()", "return 1", "end"))
    #expect(mayEnd("s = [[", "end", "]]"))
    #expect(mayEnd("--[==[", "]]", "]==]", "x = 1"))
    #expect(mayEnd("s = 'a\\", "b'"))
    #expect(mayEnd("return ..."))
    #expect(mayEnd("-- only a comment"))
    #expect(mayEnd("repeat", "x = 1", "until x"))
  }

  @Test func `goes on where something is open`() {
    #expect(!mayEnd("t = {"))
    #expect(!mayEnd("x = 1 +"))
    #expect(!mayEnd("s = [[", "]=]"))
    #expect(!mayEnd("--[[", "x = 1"))
    #expect(!mayEnd("s = 'a\\"))
    #expect(!mayEnd("if x then"))
    #expect(!mayEnd("local"))
    #expect(!mayEnd("x = y ..") && !mayEnd("x."))
  }
}
