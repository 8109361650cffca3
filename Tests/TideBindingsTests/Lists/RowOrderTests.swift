import Fuzzing
import Testing

@testable import TideBindings

@Suite struct RowOrderTests {
  @Test(arguments: [0, 1000])
  func `every row knows its position through random edits`(size: Int) {
    var random = SeededGenerator("row order")
    var plain = (0..<UInt32(size)).map { $0 }
    var order = RowOrder(plain)
    var next = UInt32(size)
    for step in 0..<4000 {
      let grows = (step / 1000) % 2 == 0
      if Int.random(in: 0..<10, using: &random) < (grows ? 7 : 3) || plain.isEmpty {
        let position = Int.random(in: 0...plain.count, using: &random)
        plain.insert(next, at: position)
        order.insert(next, at: position)
        next += 1
      } else {
        let position = Int.random(in: plain.indices, using: &random)
        #expect(order.remove(at: position) == plain.remove(at: position))
      }
      guard let position = plain.indices.randomElement(using: &random) else { continue }
      #expect(order[position] == plain[position])
      #expect(order.position(of: plain[position]) == position)
      order.setFlag(Bool.random(using: &random), of: plain[position])
      if step % 100 == 0 {
        #expect(order.brokenInvariant == nil)
        #expect(Array(order) == plain)
      }
    }
  }
}

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
