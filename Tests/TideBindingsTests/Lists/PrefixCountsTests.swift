import Fuzzing
import Testing

@testable import TideBindings

@Suite struct PrefixCountsTests {
  @Test func `totals and indexes agree with plain sums`() {
    var random = SeededGenerator("prefix counts")
    for size in [0, 1, 2, 3, 7, 8, 9, 100] {
      var counts = (0..<size).map { _ in Int.random(in: 0...3, using: &random) }
      var prefix = PrefixCounts(counts)
      for _ in 0..<50 {
        #expect(prefix.total == counts.reduce(0, +))
        for index in 0...size {
          #expect(prefix.total(before: index) == counts[..<index].reduce(0, +))
        }
        let units = counts.indices.flatMap { index in (0..<counts[index]).map { (index, $0) } }
        for (position, unit) in units.enumerated() { #expect(prefix.index(of: position) == unit) }
        guard size > 0 else { break }
        let index = Int.random(in: 0..<size, using: &random)
        let amount = Int.random(in: -counts[index]...3, using: &random)
        counts[index] += amount
        prefix.add(amount, at: index)
      }
    }
  }
}
