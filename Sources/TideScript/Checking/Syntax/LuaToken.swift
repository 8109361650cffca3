/// A word, a text, a number or a sign of Lua.
struct LuaToken {
  enum Kind {
    case name, keyword, number, string, symbol, end
  }

  var kind: Kind
  /// As written; of a string what it means.
  var text: String
  /// In bytes of the source.
  var range: Range<Int>
  /// Of a string whose bytes mean themselves: where the first of them stands.
  var contentStart: Int?

  static let keywords: Set<String> = [
    "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in",
    "local", "nil", "not", "or", "repeat", "return", "then", "true", "until", "while",
  ]

  func isKeyword(_ word: String) -> Bool { kind == .keyword && text == word }
  func isSymbol(_ sign: String) -> Bool { kind == .symbol && text == sign }
}
