/// Texts that say where rows stand, between any two of which there is another one.
///
///     between  "f"  and  "g"  is  "fn"
///
/// Random letters follow, so that two people who insert at one place get two places. The idea is that
/// of fractional indexing.
enum RowPlaces {
  /// Letters enough that two seldom get the same ones at once.
  private static let tail = 5
  private static let first = UInt8(ascii: "a"), end = UInt8(ascii: "z") + 1

  /// A place after one and before another; empty texts stand for the two ends.
  static func between(_ low: String, _ high: String) -> String {
    let low = Array(low.utf8), high = Array(high.utf8)
    var place: [UInt8] = []
    var isBelowHigh = high.isEmpty
    while true {
      let index = place.count
      let from = index < low.count ? low[index] : first
      let to = isBelowHigh || index >= high.count ? end : high[index]
      if to - from > 1 {
        place.append(from + (to - from) / 2)
        // Whatever follows now stays below the high one.
        for _ in 0..<tail { place.append(.random(in: first..<end)) }
        return String(decoding: place, as: UTF8.self)
      }
      place.append(from)
      if from < to { isBelowHigh = true }
    }
  }
}
