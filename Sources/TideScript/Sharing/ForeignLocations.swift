import TideBindings
import TideGraph

/// Source locations in other programs whose writes of shared values arrived here.
/// ``Runtime/why(_:_:)`` names them.
///
/// Their numbers lie above those that the interpreter assigns.
struct ForeignLocations {
  private var numbers: [String: UInt32] = [:]
  private var texts: [String] = []

  private static let first: UInt32 = 1 << 31
  /// The most locations held at once. After that the table starts over.
  private static let most = 65_536

  /// The number of a location such as `board@host app.lua:12`; 0 for an empty text.
  mutating func number(of text: String) -> UInt32 {
    if text.isEmpty { return 0 }
    if let known = numbers[text] { return known }
    if texts.count == Self.most { self = ForeignLocations() }
    let number = Self.first + UInt32(texts.count)
    texts.append(text)
    numbers[text] = number
    return number
  }

  /// Runs a function whose writes count as made at a location.
  mutating func write(_ place: String, in graph: Graph, _ body: () -> Void) {
    graph.writing(at: number(of: place), body)
  }

  /// The location of a number; nil for a number of the interpreter.
  func location(_ number: UInt32) -> SourceLocation? {
    guard number >= Self.first, Int(number - Self.first) < texts.count else { return nil }
    let text = texts[Int(number - Self.first)].inMessage
    guard let colon = text.lastIndex(of: ":"), let line = Int(text[text.index(after: colon)...]),
      line > 0
    else { return SourceLocation(file: text, line: 0) }
    return SourceLocation(file: String(text[..<colon]), line: line)
  }
}
