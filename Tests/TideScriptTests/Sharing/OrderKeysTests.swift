import Fuzzing
import Testing

@testable import TideScript

@Suite struct OrderKeysTests {
  @Test(arguments: 0..<20)
  func `between any two places there is another`(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var places: [String] = []
    for _ in 0..<300 {
      let index = Int.random(in: 0..<(places.count + 1), using: &random)
      let low = index == 0 ? "" : places[index - 1]
      let high = index == places.count ? "" : places[index]
      let new = OrderKeys.between(low, high, count: Int.random(in: 1..<4, using: &random))
      places.insert(contentsOf: new, at: index)
    }
    #expect(zip(places, places.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test(arguments: ["0", "z0", "b", "aaaaaaaaaa", "zzzzzzzzzzzzzzz", "{{", "ä", ""])
  func `whatever others have written, there are keys beside it`(order: String) {
    #expect(OrderKeys.between(order, "", count: 3).count == 3)
    #expect(OrderKeys.between("", order, count: 3).count == 3)
    #expect(OrderKeys.between(order, order, count: 3).count == 3)
    #expect(OrderKeys.between("m", order).count == 1 && OrderKeys.between(order, "m").count == 1)
  }

  @Test(arguments: [
    "zzzzzzzzzzzzzzz", "aaaaaaaaaab", "aaaaaaaaaaaaaaa", "~~~~", "!", "ä", "Z",
    String(repeating: "z", count: 380),
  ])
  func `keys at the very ends have neighbours on the right side`(written: String) {
    let order = OrderKeys.read(Array(written.utf8))
    let after = OrderKeys.between(order, "", count: 3)
    let before = OrderKeys.between("", order, count: 3)
    #expect(after.allSatisfy { $0 > order && OrderKeys.read(Array($0.utf8)) == $0 }, "\(after)")
    // Nothing lies before the first letter of all.
    #expect(before.allSatisfy { $0 < order || order == "a" && $0 == order }, "\(before)")
    #expect(after == after.sorted() && before == before.sorted())
  }

  @Test func `places at the ends, and of many at once, stay short`() {
    var last = "", start = "n"
    for _ in 0..<20_000 { last = OrderKeys.between(last, "")[0] }
    start = last
    for _ in 0..<20_000 { start = OrderKeys.between("", start)[0] }
    #expect(last.utf8.count == 15 && start.utf8.count == 15)
    let low = OrderKeys.between("", "")[0]
    let high = OrderKeys.between(low, "")[0]
    let many = OrderKeys.between(low, high, count: 10_000)
    #expect((many.map(\.utf8.count).max() ?? 0) < 120)
    #expect(zip([low] + many, many + [high]).allSatisfy { $0 < $1 })
  }
}
