/// Colours for Lua as somebody types it, and for values, which read like it.
///
/// ```swift
/// SyntaxColors.spans(of: "local x = 'a'").count     // 2: the keyword and the text
/// SyntaxColors.colored("nil")                        // "\u{1b}[35mnil\u{1b}[0m"
/// ```
///
/// Whether colours are wanted is for the caller to know.
package enum SyntaxColors {
  /// A part of a text, in bytes, and the parameters of the sequence that sets its colour.
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
    // The name of a command to the prompt; what follows it is mostly Lua.
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
      return CodeBeforeCaret.keywords.contains(word) ? .keyword : nil
    }
  }

  /// Between tokens there are blanks and comments alone.
  private static func addComment(in gap: Range<Int>, of bytes: [UInt8], to spans: inout [Span]) {
    guard let start = bytes[gap].firstIndex(of: UInt8(ascii: "-")) else { return }
    spans.append(Span(range: start..<gap.upperBound, codes: Color.comment.rawValue))
  }

  /// A text with its colours.
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

  /// The number of a result before it, which later lines know as `_3`.
  package static func numbered(_ number: Int, isColored: Bool) -> String {
    isColored ? "\u{1b}[2m_\(number) =\u{1b}[0m " : "_\(number) = "
  }
}
