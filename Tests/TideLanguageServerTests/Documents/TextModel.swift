import Fuzzing
import TideLanguageServer

/// The simplest model of a text with positions: it finds its lines again for each question.
///
/// `TextPositions` must agree with it.
struct TextModel {
  var scalars: [Unicode.Scalar]
  let encoding: TextPositions.Encoding

  init(_ text: String, encoding: TextPositions.Encoding) {
    scalars = Array(text.unicodeScalars)
    self.encoding = encoding
  }

  var text: String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }

  private func width(_ scalar: Unicode.Scalar) -> Int {
    encoding == .utf8 ? UTF8.width(scalar) : UTF16.width(scalar)
  }

  /// The indices of each line's scalars, without its line end.
  private var lines: [Range<Int>] {
    var lines: [Range<Int>] = []
    var start = 0
    var index = 0
    while index < scalars.count {
      let isPair =
        scalars[index] == "\r" && index + 1 < scalars.count && scalars[index + 1] == "\n"
      if scalars[index] == "\n" || scalars[index] == "\r" {
        lines.append(start..<index)
        index += isPair ? 2 : 1
        start = index
      } else {
        index += 1
      }
    }
    return lines + [start..<scalars.count]
  }

  func index(of position: TextPosition) -> Int {
    let lines = lines
    if position.line < 0 { return 0 }
    guard position.line < lines.count else { return scalars.count }
    var rest = position.character
    for index in lines[position.line] {
      if rest < width(scalars[index]) { return index }
      rest -= width(scalars[index])
    }
    return lines[position.line].upperBound
  }

  func offset(of position: TextPosition) -> Int {
    scalars[..<index(of: position)].reduce(0) { $0 + UTF8.width($1) }
  }

  /// The position of a scalar.
  func position(of index: Int) -> TextPosition {
    let lines = lines
    let line = lines.lastIndex { $0.lowerBound <= index } ?? 0
    let before = scalars[lines[line].lowerBound..<min(index, lines[line].upperBound)]
    return TextPosition(line: line, character: before.reduce(0) { $0 + width($1) })
  }

  mutating func replace(_ range: TextRange, with text: String) {
    let (one, other) = (index(of: range.start), index(of: range.end))
    scalars.replaceSubrange(min(one, other)..<max(one, other), with: text.unicodeScalars)
  }

  // MARK: Random texts

  static func randomText(_ most: Int, using random: inout SeededGenerator) -> String {
    let pieces = [
      "a", "local x", " ", "\n", "\r\n", "\r", "\n\r", "ä", "€", "😀", "e\u{301}", "👩‍👩‍👧", "\t",
      "\u{2028}",
      "\u{0}", "\u{feff}",
    ]
    return (0..<Int.random(in: 0...most, using: &random)).map { _ in
      pieces[Int.random(in: 0..<pieces.count, using: &random)]
    }.joined()
  }

  /// A random position, usually within the text.
  func randomPosition(using random: inout SeededGenerator) -> TextPosition {
    TextPosition(
      line: Int.random(in: -1...lines.count + 1, using: &random),
      character: Int.random(in: -1...12, using: &random))
  }
}
