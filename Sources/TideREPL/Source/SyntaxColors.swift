import TideLua

/// Syntax colours for typed Lua, and for printed values, which have the same syntax.
///
/// ```swift
/// SyntaxColors.spans(of: "local x = 'a'").count     // 2: the keyword and the text
/// SyntaxColors.colored("nil")                        // "\u{1b}[35mnil\u{1b}[0m"
/// ```
///
/// The caller decides whether to use colours.
package enum SyntaxColors {
  /// A byte range of a text, and its SGR colour parameters.
  package struct Span: Equatable, Sendable {
    package let range: Range<Int>
    package let codes: String
  }

  private enum Color: String {
    case keyword = "34"
    case constant = "35"
    case number = "36"
    case string = "32"
    case comment = "2"
    case command = "1"
  }

  private static let constants: Set = ["nil", "true", "false", "null"]

  package static func spans(of text: String) -> [Span] {
    let bytes = Array(text.utf8)
    var spans: [Span] = []
    var end = 0
    // A meta command's name; its argument is mostly Lua.
    if bytes.first == UInt8(ascii: ":"), bytes.dropFirst().first != UInt8(ascii: ":") {
      end = bytes.firstIndex { $0 <= 0x20 } ?? bytes.count
      spans.append(Span(range: 0..<end, codes: Color.command.rawValue))
    }
    for token in LuaTokens(bytes) where token.range.lowerBound >= end {
      addComment(in: end..<token.range.lowerBound, of: bytes, to: &spans)
      end = token.range.upperBound
      if let color = color(of: token, bytes) {
        spans.append(Span(range: token.range, codes: color.rawValue))
      }
    }
    addComment(in: end..<bytes.count, of: bytes, to: &spans)
    return spans
  }

  private static func color(of token: LuaTokens.Token, _ bytes: [UInt8]) -> Color? {
    switch token.kind {
    case .string, .openString: return .string
    case .number: return .number
    case .symbol: return nil
    case .name:
      let word = String(decoding: bytes[token.range], as: UTF8.self)
      if constants.contains(word) { return .constant }
      return LuaState.keywords.contains(word) ? .keyword : nil
    }
  }

  /// Only blanks and comments occur between tokens.
  private static func addComment(in gap: Range<Int>, of bytes: [UInt8], to spans: inout [Span]) {
    guard let start = bytes[gap].firstIndex(of: UInt8(ascii: "-")) else { return }
    spans.append(Span(range: start..<gap.upperBound, codes: Color.comment.rawValue))
  }

  /// A text with its colours as escape sequences.
  package static func colored(_ text: String) -> String {
    let bytes = Array(text.utf8)
    var colored: [UInt8] = []
    var end = 0
    for span in spans(of: text) {
      colored += bytes[end..<span.range.lowerBound]
      colored += Array("\u{1b}[\(span.codes)m".utf8) + bytes[span.range] + Array("\u{1b}[0m".utf8)
      end = span.range.upperBound
    }
    colored += bytes[end...]
    return String(decoding: colored, as: UTF8.self)
  }

  /// The prefix of a numbered result, which later lines can use as `_3`.
  package static func numbered(_ number: Int, isColored: Bool) -> String {
    isColored ? "\u{1b}[2m_\(number) =\u{1b}[0m " : "_\(number) = "
  }
}
