import Fuzzing
import Testing

@testable import TideViews

private func sizes(_ available: Int, _ items: [Distribution.Item]) -> [Int] {
  var items = items
  Distribution.share(available, among: &items)
  return items.map(\.size)
}

private typealias Item = Distribution.Item

@Test func `what is left over goes to those that grow, by weight`() {
  #expect(
    sizes(10, [Item(basis: 2), Item(basis: 0, grow: 1), Item(basis: 0, grow: 3)]) == [2, 2, 6])
  #expect(sizes(10, [Item(basis: 2), Item(basis: 3)]) == [2, 3])
  #expect(sizes(3, [Item(basis: 0, grow: 1), Item(basis: 0, grow: 1)]) == [2, 1])
}

@Test func `nothing grows beyond its maximum, and others take the rest`() {
  #expect(
    sizes(20, [Item(basis: 0, maximum: 4, grow: 1), Item(basis: 0, grow: 1)]) == [4, 16])
  #expect(sizes(20, [Item(basis: 0, maximum: 4, grow: 1)]) == [4])
}

@Test func `those that grow give way first, then the natural sizes, then the end`() {
  #expect(
    sizes(6, [Item(basis: 5, shrinks: true), Item(basis: 5, grow: 1, shrinks: true)]) == [5, 1])
  #expect(sizes(6, [Item(basis: 8, shrinks: true), Item(basis: 4, shrinks: true)]) == [4, 2])
  #expect(sizes(5, [Item(basis: 4), Item(basis: 4), Item(basis: 4)]) == [4, 1, 0])
  #expect(
    sizes(8, [Item(basis: 8, minimum: 6, shrinks: true), Item(basis: 4, shrinks: true)]) == [7, 1])
}

@Test func `no room is shared without trouble`() {
  #expect(sizes(0, [Item(basis: 3), Item(basis: 0, grow: 1)]) == [0, 0])
  #expect(sizes(10, []) == [])
}

@Test func `shares never exceed what there is, and use it up where something grows`() {
  for seed in UInt64(1)...500 {
    var random = SeededGenerator(seed: seed)
    let available = Int.random(in: 0...60, using: &random)
    let items = (0..<Int.random(in: 1...8, using: &random)).map { _ in
      Item(
        basis: Int.random(in: 0...20, using: &random),
        minimum: Int.random(in: 0...3, using: &random),
        maximum: Bool.random(using: &random) ? .max : Int.random(in: 20...30, using: &random),
        grow: [0, 0, 1, 2.5].randomElement(using: &random) ?? 0,
        shrinks: Bool.random(using: &random))
    }
    let sizes = sizes(available, items)
    let total = sizes.reduce(0, +)
    #expect(sizes.allSatisfy { $0 >= 0 }, "seed \(seed)")
    #expect(total <= available, "seed \(seed)")
    let wanted = items.reduce(0) { $0 + $1.basis }
    if wanted >= available { #expect(total == available, "seed \(seed)") }
    if wanted < available, items.contains(where: { $0.grow > 0 && $0.maximum == .max }) {
      #expect(total == available, "seed \(seed)")
    }
  }
}
