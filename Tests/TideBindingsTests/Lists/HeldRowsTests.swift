import Fuzzing
import Testing
import TideGraph

@testable import TideBindings

/// Rows that stay where they are shown while their list's source changes.
@Suite struct HeldRowsTests {
  private func edit(_ count: Int, _ random: inout SeededGenerator) -> ValueList.Edit {
    let value = Value.integer(Int.random(in: 0..<8, using: &random))
    let kind = count == 0 ? 0 : Int.random(in: 0..<4, using: &random)
    switch kind {
    case 0: return .insert([value, .integer(9)], at: Int.random(in: 0...count, using: &random))
    case 1:
      let start = Int.random(in: 0..<count, using: &random)
      return .remove(start..<Int.random(in: start + 1...count, using: &random))
    case 2: return .replace(value, at: Int.random(in: 0..<count, using: &random))
    default:
      return .move(
        from: Int.random(in: 0..<count, using: &random),
        to: Int.random(in: 0..<count, using: &random))
    }
  }

  @Test func `they stay or appear, and the others follow the source, edit by edit and at once`() {
    for seed in UInt64(1)...500 {
      var random = SeededGenerator(seed: seed)
      let values = (0..<Int.random(in: 0..<7, using: &random)).map { _ in
        Value.integer(Int.random(in: 0..<8, using: &random))
      }
      var (source, shown) = (ChunkedArray(values), ChunkedArray(values))
      let keys = Set(
        [0, 1, 2].prefix(Int.random(in: 1...3, using: &random)).map { number in
          ContentKey(.integer(number))
        })
      var held = HeldRows(keys, in: shown)
      var heldValues = held.values
      for _ in 0..<10 {
        if Int.random(in: 0..<5, using: &random) == 0 {
          source = ChunkedArray(source.elements(in: 0..<source.count).reversed())
          shown = ChunkedArray(held.arrange(source.elements(in: 0..<source.count)))
        } else {
          let edit = edit(source.count, &random)
          _ = source.apply(edit)
          if let edits = held.follow(edit, { shown[$0] }) {
            for edit in edits { _ = shown.apply(edit) }
          } else {
            shown = ChunkedArray(held.arrange(source.elements(in: 0..<source.count)))
          }
        }
        let all = shown.elements(in: 0..<shown.count)
        #expect(held.shown.map { all[$0] } == held.values, "seed \(seed)")
        #expect(held.values.filter(heldValues.contains) == heldValues, "seed \(seed)")
        heldValues = held.values
        let inSource = source.elements(in: 0..<source.count).filter(held.holds)
        #expect(inSource.allSatisfy(heldValues.contains), "seed \(seed)")
        let rest = all.indices.filter { !held.shown.contains($0) }.map { all[$0] }
        let expected = source.elements(in: 0..<source.count).filter { !held.holds($0) }
        #expect(rest == expected, "seed \(seed)")
      }
      for edit in held.release(to: source) { _ = shown.apply(edit) }
      #expect(
        shown.elements(in: 0..<shown.count) == source.elements(in: 0..<source.count),
        "seed \(seed)")
    }
  }
}
