import Testing

@testable import TideREPL

@Suite struct `A text from the prompt` {
  @Test(arguments: [
    ("local x = 1", "      x = 1", ["x"]),
    ("local a, b = 1, 2", "      a, b = 1, 2", ["a", "b"]),
    ("local a", "      a = nil", ["a"]),
    ("local a, b x = 1", "      a, b = nil x = 1", ["a", "b"]),
    ("local x <const> = 1", "      x         = 1", ["x"]),
    ("local function f() local y = 2 end", "      function f() local y = 2 end", ["f"]),
    ("x = 'local y' -- local z", "x = 'local y' -- local z", []),
    ("do local x = 1 end", "do local x = 1 end", []),
    ("if a then local x end local y = 2", "if a then local x end       y = 2", ["y"]),
    ("for i = 1, 2 do local x end local y = 2", "for i = 1, 2 do local x end       y = 2", ["y"]),
    ("repeat local x until x local y = 1", "repeat local x until x       y = 1", ["y"]),
    ("local f <close> = g()", "local f <close> = g()", []),
    (
      "local x = function() local z = [[end]] return z end local y = x()",
      "      x = function() local z = [[end]] return z end       y = x()", ["x", "y"]
    ),
    ("local", "local", []), ("local 5", "local 5", []), ("", "", []),
  ])
  func `keeps its variables for later`(_ source: String, _ text: String, _ names: [String]) {
    let chunk = PromptChunk(source)
    #expect(chunk.text == text)
    #expect(chunk.locals == names)
  }

  @Test func `is split into words and texts whatever it is`() {
    func kinds(_ source: String) -> [LuaTokens.Token.Kind] { LuaTokens(source).map(\.kind) }
    #expect(
      kinds("a = 'x\\'y' .. \"z\" --[==[ ]] ]==] b") == [
        .name, .symbol, .string, .symbol, .symbol, .string, .name,
      ])
    #expect(kinds("[[long\n]] [=[ ]] ]=]") == [.string, .string])
    #expect(kinds("1e-5+0x1p-3..2") == [.number, .symbol, .number, .symbol, .symbol, .number])
    #expect(kinds("bind('a.") == [.name, .symbol, .openString])
    #expect(kinds("'a\nb") == [.openString, .name])
    for text in ["\"", "'\\", "[[", "[==", "--[[", "--", "\u{0}", "漢 = 'é'", "1..", "0x"] {
      for end in text.indices { _ = kinds(String(text[...end])) }
    }
  }
}
