import Fuzzing
import Testing

@testable import TideBindings

@Suite struct PrefixCountsTests {
  @Test func `totals and places agree with plain sums`() {
    var random = SeededGenerator("prefix counts")
    for size in [0, 1, 2, 3, 7, 8, 9, 100] {
      var counts = (0..<size).map { _ in Int.random(in: 0...3, using: &random) }
      var prefix = PrefixCounts(counts)
      for _ in 0..<50 {
        #expect(prefix.total == counts.reduce(0, +))
        for place in 0...size {
          #expect(prefix.total(before: place) == counts[..<place].reduce(0, +))
        }
        let units = counts.indices.flatMap { place in (0..<counts[place]).map { (place, $0) } }
        for (position, unit) in units.enumerated() { #expect(prefix.place(of: position) == unit) }
        guard size > 0 else { break }
        let place = Int.random(in: 0..<size, using: &random)
        let amount = Int.random(in: -counts[place]...3, using: &random)
        counts[place] += amount
        prefix.add(amount, at: place)
      }
    }
  }
}
