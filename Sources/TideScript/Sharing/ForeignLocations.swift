import TideBindings
import TideGraph

/// The lines of other programs that have written shared values here, as ``Runtime/why(_:_:)`` names
/// them.
///
/// Their numbers are none that the interpreter gives.
struct ForeignLocations {
  private var numbers: [String: UInt32] = [:]
  private var texts: [String] = []

  private static let first: UInt32 = 1 << 31
  /// So many lines are told apart at once; then it begins anew.
  private static let most = 65_536

  /// The number of a place such as `board@host app.lua:12`; 0 for none.
  mutating func number(of text: String) -> UInt32 {
    if text.isEmpty { return 0 }
    if let known = numbers[text] { return known }
    if texts.count == Self.most { self = ForeignLocations() }
    let number = Self.first + UInt32(texts.count)
    texts.append(text)
    numbers[text] = number
    return number
  }

  /// Has what a function writes count as written at a place.
  mutating func write(_ place: String, in graph: Graph, _ body: () -> Void) {
    graph.writing(at: number(of: place), body)
  }

  /// The place of a number; nil for one of the interpreter's.
  func location(_ number: UInt32) -> SourceLocation? {
    guard number >= Self.first, Int(number - Self.first) < texts.count else { return nil }
    let text = texts[Int(number - Self.first)].inMessage
    guard let colon = text.lastIndex(of: ":"), let line = Int(text[text.index(after: colon)...]),
      line > 0
    else { return SourceLocation(file: text, line: 0) }
    return SourceLocation(file: String(text[..<colon]), line: line)
  }
}
