/// Order keys for the rows of a shared list. Between two keys there is room for another.
///
///     aaaaanaaaa…  before  aaaaanaaab…
///
/// The first ten letters are a number, so that keys stay short however many rows are added at
/// either end. A key between two others extends beyond these letters. Each key ends with random
/// letters, so that two people who insert at the same position get different keys. The idea is
/// fractional indexing.
package enum OrderKeys {
  private static let first = UInt8(ascii: "a"), end = UInt8(ascii: "z") + 1
  private static let base = 26
  /// Letters of the leading number: enough for any list.
  private static let width = 10
  private static let middle = 70_000_000_000_000
  /// The greatest number of `width` letters: "zzzzzzzzzz".
  private static let last = 141_167_095_653_375
  private static let longest = 400
  /// Enough random letters that two simultaneous inserts rarely get the same key.
  private static let tail = 5

  /// Makes ascending keys after `low` and before `high`. An empty text stands for an open end.
  package static func between(_ low: String, _ high: String, count: Int = 1) -> [String] {
    var places = [String](repeating: "", count: count)
    if !low.isEmpty, !high.isEmpty {
      fill(&places, 0..<count, low, high)
      return places
    }
    // Towards an open end, the leading number counts up or down.
    let start = low.isEmpty ? (high.isEmpty ? middle : number(high) - count) : number(low) + 1
    // A peer's key may already have the first or last number, which leaves none to count to.
    guard start >= 0, start <= last - count else {
      fill(&places, 0..<count, low, high)
      return places
    }
    for index in places.indices { places[index] = ended(letters(of: start + index)) }
    return places
  }

  /// Starts from the middle, so that keys stay short.
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
        // Only prefixes of `high` sort directly before it. Rows with equal keys are ordered by id.
        let shorter = index > 1 ? high.dropLast() : high[...]
        return String(
          decoding: low.lexicographicallyPrecedes(shorter) ? Array(shorter) : low, as: UTF8.self)
      }
      let from = index < low.count ? low[index] : first
      let to = isBelowHigh || index >= high.count ? end : high[index]
      if to > from + 1 {
        place.append(from + (to - from) / 2)
        // Any letters that follow keep the key below `high`.
        return ended(place)
      }
      place.append(from)
      if from < to { isBelowHigh = true }
    }
  }

  /// Normalizes a key from another runtime: other bytes become the nearest letter, and letters
  /// beyond the longest length are dropped. All readers then order the rows alike, and new keys fit
  /// between them.
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
