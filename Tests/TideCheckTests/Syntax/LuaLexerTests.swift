import TideScript
import Testing

@testable import TideCheck

@Suite struct `The tokens of a script that is checked` {
  private func tokens(_ text: String) throws -> [LuaToken] {
    var lexer = LuaLexer(Array(text.utf8))
    var tokens: [LuaToken] = []
    while case let token = try lexer.next(), token.kind != .end { tokens.append(token) }
    return tokens
  }

  @Test(arguments: [
    (#"'\a\b\f\n\r\t\v'"#, "\u{7}\u{8}\u{c}\n\r\t\u{b}"), (#"'\\\'\"'"#, "\\'\""),
    (#"'\65\066\0671'"#, "ABC1"), (#"'\x41\x6a'"#, "Aj"), (#"'\u{e9}\u{1F600}'"#, "é😀"),
    (#"'\u{00000000000041}'"#, "A"), ("'a\\z  \n\t b'", "ab"), ("'a\\z'", "a"),
    ("'a\\\nb\\\r\nc'", "a\nb\nc"), ("\"it's\"", "it's"), ("''", ""),
    ("[[a\\n]]", "a\\n"), ("[[\na\n]]", "a\n"), ("[[\r\na]]", "a"), ("[[\n\ra]]", "a"),
    ("[[\n\na]]", "\na"), ("[==[a]]b]=]c]==]", "a]]b]=]c"), ("[=[]]=]", "]"),
  ])
  func `a string is what the interpreter makes of it`(source: String, meant: String) throws {
    let found = try tokens("x = \(source) y")
    #expect(found.map(\.kind) == [.name, .symbol, .string, .name])
    #expect(found[2].text == meant)
    #expect(found[2].range == 4..<(4 + source.utf8.count))
  }

  @Test func `only a string without escapes has the offset of its content`() throws {
    #expect(try tokens("'abc'")[0].contentStart == 1)
    #expect(try tokens("[==[\nabc]==]")[0].contentStart == 5)
    #expect(try tokens(#"'a\98c'"#)[0].contentStart == nil)
  }

  @Test(arguments: [
    "3", "3.0", ".5", "3.", "1e10", "1E-3", "0.1e+2", "0xff", "0XA.8", "0x.1p4", "0x1P-2",
    "9223372036854775808",
  ])
  func `a number ends where the interpreter ends it`(source: String) throws {
    for next in ["+1", "-1", " ..", ")", "\n", "*x"] {
      let first = try tokens(source + next)[0]
      #expect(first.kind == .number)
      #expect(first.text == source, "before \(next)")
    }
  }

  @Test func `a digit of a hexadecimal number is not an exponent`() throws {
    #expect(try tokens("0xe+1").map(\.text) == ["0xe", "+", "1"])
  }

  @Test(arguments: [
    ("a...b..c.d", ["a", "...", "b", "..", "c", ".", "d"]),
    ("::x::a:b", ["::", "x", "::", "a", ":", "b"]),
    ("a<<b<=c<d>>e>=f", ["a", "<<", "b", "<=", "c", "<", "d", ">>", "e", ">=", "f"]),
    ("a~=b~c==d=e", ["a", "~=", "b", "~", "c", "==", "d", "=", "e"]),
    ("a//b/c", ["a", "//", "b", "/", "c"]), ("t[t[1]]", ["t", "[", "t", "[", "1", "]", "]"]),
    ("a--b\nc", ["a", "c"]), ("a--[[b\n]]c", ["a", "c"]), ("a--[==[b]]\n]==]c", ["a", "c"]),
    ("a--[=b\nc", ["a", "c"]), ("#!lua\na", ["a"]), ("a\u{b}\u{c}b", ["a", "b"]),
  ])
  func `symbols are as long as possible, and comments are skipped`(
    source: String, parts: [String]
  ) throws {
    #expect(try tokens(source).map(\.text) == parts)
  }

  @Test(arguments: [
    ("'abc", 0), ("x 'a\nb'", 2), ("[[abc", 0), ("--[[abc", 2), (#"'\q'"#, 2), (#"'\300'"#, 2),
    (#"'\u{110000'"#, 10), (#"'\xzz'"#, 3), ("a $ b", 2), ("a ! b", 2), ("é", 0),
  ])
  func `bytes that are not a token are refused at their offset`(source: String, offset: Int) {
    #expect {
      try tokens(source)
    } throws: { error in
      (error as? LuaLexer.Failure)?.offset == offset
    }
  }
}
