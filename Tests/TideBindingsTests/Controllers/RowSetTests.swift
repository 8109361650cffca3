import Fuzzing
import Testing

@testable import TideBindings

@Suite struct RowSetTests {
  @Test func `runs that touch become one, and are cut where rows leave`() {
    var set = RowSet([5, 1, 2, 3])
    #expect(Array(set.runs) == [1..<4, 5..<6])
    set.insert(4..<5)
    #expect(Array(set.runs) == [1..<6])
    set.remove(2..<4)
    #expect(Array(set.runs) == [1..<2, 4..<6])
    #expect(set.count == 3 && set.first == 1 && set.last == 5)
    #expect(set.contains(4) && !set.contains(3))
    set.clip(to: 5)
    #expect(set.rows == [1, 4])
  }

  @Test func `it does what a set of numbers does, whatever happens to the list`() {
    var random = SeededGenerator("row sets")
    for _ in 0..<50 {
      var set = RowSet()
      var model: [Bool] = Array(repeating: false, count: 20)
      for _ in 0..<200 {
        step(&set, &model, &random)
        #expect(set.brokenInvariant == nil)
        #expect(set.rows == model.indices.filter { model[$0] })
        let row = Int.random(in: 0..<25, using: &random)
        #expect(set.contains(row) == (row < model.count && model[row]))
        let range = row..<row + Int.random(in: 1...5, using: &random)
        #expect(set.intersects(range) == range.contains { $0 < model.count && model[$0] })
      }
    }
  }

  @Test func `many runs are the same set, in chunks`() {
    var random = SeededGenerator("chunks of row sets")
    var set = RowSet()
    var model: [Bool] = Array(repeating: false, count: 4000)
    for row in stride(from: 0, to: 4000, by: 2) {
      set.insert(row..<row + 1)
      model[row] = true
    }
    #expect(set.brokenInvariant == nil)
    for round in 0..<3000 {
      step(&set, &model, &random)
      if round % 20 > 0 { continue }
      if let broken = set.brokenInvariant { return #expect(Bool(false), "\(round): \(broken)") }
      #expect(set.rows == model.indices.filter { model[$0] })
      let row = Int.random(in: 0..<model.count + 5, using: &random)
      #expect(set.contains(row) == (row < model.count && model[row]))
      // What was cut off comes back, so that the set stays large.
      while model.count < 4000 { model.append(false) }
      for row in stride(from: 0, to: 4000, by: 3) where !model[row] {
        set.insert(row..<row + 1)
        model[row] = true
      }
    }
    // The last steps may have cut off nearly all.
    set.insert(2000..<2001)
    var other = RowSet()
    for row in set.rows.reversed() { other.insert(row..<row + 1) }
    #expect(other == set && other.brokenInvariant == nil)
    set.remove(100..<3900)
    #expect(set.rows == other.rows.filter { $0 < 100 || $0 >= 3900 })
    #expect(set != other && set.brokenInvariant == nil)
  }

  private func step(_ set: inout RowSet, _ model: inout [Bool], _ random: inout SeededGenerator) {
    let index = Int.random(in: 0...model.count, using: &random)
    let count = Int.random(in: 0...min(4, model.count - index), using: &random)
    switch Int.random(in: 0..<6, using: &random) {
    case 0:
      set.insert(index..<index + count)
      for row in index..<index + count { model[row] = true }
    case 1:
      set.remove(index..<index + count)
      for row in index..<index + count { model[row] = false }
    case 2:
      let count = Int.random(in: 0...3, using: &random)
      set.openGap(at: index, count: count)
      model.insert(contentsOf: Array(repeating: false, count: count), at: index)
    case 3:
      set.closeGap(index..<index + count)
      model.removeSubrange(index..<index + count)
    case 4 where index < model.count:
      let to = Int.random(in: 0..<model.count, using: &random)
      set.move(from: index, to: to)
      model.insert(model.remove(at: index), at: to)
    default:
      set.clip(to: index)
      for row in index..<model.count { model[row] = false }
    }
  }
}
