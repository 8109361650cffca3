/// The order keys of a shared list's rows: texts, between any two of which there is another one.
///
///     aaaaanaaaa…  before  aaaaanaaab…
///
/// The first ten letters are a number, so that keys stay short however many rows come at either
/// end. A key between two others goes on after these letters. Each ends with random letters, so
/// that two people who insert at the same place get two keys. The idea is that of fractional
/// indexing.
package enum OrderKeys {
  private static let first = UInt8(ascii: "a"), end = UInt8(ascii: "z") + 1
  private static let base = 26
  /// Letters that count: more than anybody inserts.
  private static let width = 10
  private static let middle = 70_000_000_000_000
  /// The greatest number of `width` letters: "zzzzzzzzzz".
  private static let last = 141_167_095_653_375
  private static let longest = 400
  /// Letters enough that two seldom get the same ones at once.
  private static let tail = 5

  /// Makes keys, in their order, after one and before another; empty texts stand for the two ends.
  package static func between(_ low: String, _ high: String, count: Int = 1) -> [String] {
    var places = [String](repeating: "", count: count)
    if !low.isEmpty, !high.isEmpty {
      fill(&places, 0..<count, low, high)
      return places
    }
    // Towards an open end they count on.
    let start = low.isEmpty ? (high.isEmpty ? middle : number(high) - count) : number(low) + 1
    // What peers wrote may lie at the last number, where nothing counts on.
    guard start >= 0, start <= last - count else {
      fill(&places, 0..<count, low, high)
      return places
    }
    for index in places.indices { places[index] = ended(letters(of: start + index)) }
    return places
  }

  /// From the middle one on, so that they stay short.
  private static func fill(
    _ places: inout [String], _ range: Range<Int>, _ low: String, _ high: String
  ) {
    if range.isEmpty { return }
    let index = range.lowerBound + range.count / 2
    places[index] = one(between: low, high)
    fill(&places, range.lowerBound..<index, low, places[index])
    fill(&places, index + 1..<range.upperBound, places[index], high)
  }

  private static func one(between low: String, _ high: String) -> String {
    let low = letters(low), high = letters(high)
    var place: [UInt8] = []
    var isBelowHigh = false
    while true {
      let index = place.count
      if index == high.count, index > 0, !isBelowHigh {
        // Nothing but its own beginnings lies before a key of first letters. Rows with equal keys are
        // ordered by their ids.
        let shorter = index > 1 ? high.dropLast() : high[...]
        return String(
          decoding: low.lexicographicallyPrecedes(shorter) ? Array(shorter) : low, as: UTF8.self)
      }
      let from = index < low.count ? low[index] : first
      let to = isBelowHigh || index >= high.count ? end : high[index]
      if to > from + 1 {
        place.append(from + (to - from) / 2)
        // Whatever follows now stays below the high one.
        return ended(place)
      }
      place.append(from)
      if from < to { isBelowHigh = true }
    }
  }

  /// A key that others have written, as it counts: any other byte is the nearest letter, and what goes
  /// beyond the longest key is left out. So rows lie in the same order for all who read them, and
  /// others find a place between them.
  static func read(_ bytes: [UInt8]) -> String {
    String(decoding: bytes.prefix(longest).map { min(max($0, first), end - 1) }, as: UTF8.self)
  }

  private static func letters(_ text: String) -> [UInt8] {
    text.utf8.prefix(longest).map { min(max($0, first), end - 1) }
  }

  private static func ended(_ place: [UInt8]) -> String {
    let random = (0..<tail).map { _ in UInt8.random(in: first..<end) }
    return String(decoding: place + random, as: UTF8.self)
  }

  private static func letters(of number: Int) -> [UInt8] {
    var rest = max(0, number)
    var letters = [UInt8](repeating: first, count: width)
    for index in letters.indices.reversed() {
      letters[index] = first + UInt8(rest % base)
      rest /= base
    }
    return letters
  }

  private static func number(_ place: String) -> Int {
    let letters = letters(place) + [UInt8](repeating: first, count: width)
    return letters.prefix(width).reduce(0) { $0 * base + Int($1 - first) }
  }
}
