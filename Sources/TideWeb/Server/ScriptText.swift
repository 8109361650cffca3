/// A minified script: a third smaller, with the same behaviour.
///
/// It has no comment lines, indentation or line ends, and no spaces, commas and semicolons that
/// separate nothing. A function with a single parameter has no parentheses around it. The script
/// has to end each statement with a semicolon or a block, and must not have empty statements.
/// Strings, templates and regular expressions stay as they are, except for the expressions in
/// templates, in which no keyword may stand before a space. They must not span lines. A template
/// must not contain another template or braces of its own. The names that the script declares
/// become short ones.
///
/// ```swift
/// ScriptText.compact(Array("// Adds.\nlet sum = a + b;\n".utf8))   // let e=a+b;
/// ```
struct ScriptText {
  private var output: [UInt8] = []

  static func compact(_ script: [UInt8]) -> [UInt8] {
    var text = ScriptText()
    for line in script.split(separator: UInt8(ascii: "\n")) {
      let code = line.drop { $0 == UInt8(ascii: " ") }
      if !code.isEmpty, !code.starts(with: Array("//".utf8)) { text.add(code) }
    }
    return ScriptNames(text.output).shortened + Array("\n".utf8)
  }

  /// A comma before these is redundant, and so is a semicolon before the first of them.
  private static let closings = Array("}])".utf8)
  static let quotes = Array("\"'`".utf8)
  /// A statement continues after a line that ends with `openEnds`, and before one that begins with
  /// `openStarts`.
  private static let openEnds = Array(",;{}([?:=&|>".utf8)
  private static let openStarts = Array("}])?:.&|".utf8)
  /// A slash after these begins a regular expression.
  static let beforeExpression = Array("(,=:[!&|?{};>".utf8)

  private mutating func add(_ line: ArraySlice<UInt8>) {
    if let last = output.last, let first = line.first,
      !Self.openEnds.contains(last), !Self.openStarts.contains(first)
    {
      output.append(UInt8(ascii: "\n"))
    }
    var rest = line
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: " "): if let next = rest.first, separates(next) { output.append(byte) }
      case _ where Self.quotes.contains(byte): copy(byte, &rest)
      case UInt8(ascii: "/") where output.last.map(Self.beforeExpression.contains) ?? true:
        copy(byte, &rest)
      default:
        let isEnd = byte == Self.closings[0] && output.last == UInt8(ascii: ";")
        if isEnd || Self.closings.contains(byte) && output.last == UInt8(ascii: ",") {
          output.removeLast()
        }
        output.append(byte)
      }
    }
  }

  /// Whether the next character needs the space before it.
  private func separates(_ next: UInt8) -> Bool {
    guard let last = output.last else { return false }
    if last == next, last == UInt8(ascii: "+") || last == UInt8(ascii: "-") { return true }
    return Self.isOfWord(last) && Self.isOfWord(next)
  }

  static func isOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 128...:
      true
    default: false
    }
  }

  /// Copies a string or a regular expression up to its end.
  private mutating func copy(_ quote: UInt8, _ rest: inout ArraySlice<UInt8>) {
    output.append(quote)
    output += Self.takeText(quote, &rest)
  }

  /// Removes and returns the rest of a string or a regular expression, whose first delimiter has
  /// been read.
  static func takeText(_ quote: UInt8, _ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let whole = rest
    var isInSet = false
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "\\"): _ = rest.popFirst()
      case UInt8(ascii: "[") where quote == UInt8(ascii: "/"): isInSet = true
      case UInt8(ascii: "]"): isInSet = false
      case quote where !isInSet: return whole[..<rest.startIndex]
      default: break
      }
    }
    return whole
  }
}
