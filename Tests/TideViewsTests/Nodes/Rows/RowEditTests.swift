import Fuzzing
import Testing
import TideBindings
import TideGraph

@testable import TideViews

@Test func `edits by runs lead rows where the list's changes do`() throws {
  for seed in UInt64(1)...60 {
    var random = SeededGenerator(seed: seed)
    var values: [Value] = (0..<12).map { .integer($0) }
    let list = ValueList(values)
    var changes: [ListChange] = []
    let observer = ListObserver(ListObservationOptions(batch: true)) { changes = $0 }.observe(list)
    defer { list.graph.dispose(observer) }
    for step in 0..<30 {
      var next = values
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        switch Int.random(in: 0..<3, using: &random) {
        case 0:
          next.insert(.integer(1000 + step), at: Int.random(in: 0...next.count, using: &random))
        case 1 where !next.isEmpty: next.remove(at: Int.random(in: 0..<next.count, using: &random))
        default: next.shuffle(using: &random)
        }
      }
      changes = []
      try list.set(next)
      for (row, value) in values.enumerated() {
        var index: Int? = row
        for edit in changes.flatMap(RowEdit.edits) { index = index.flatMap { edit.index(of: $0) } }
        // A replaced row keeps its index with another object.
        let isReplaced = changes.contains { $0.kind == .replacement }
        if let index, !isReplaced { #expect(next[index] == value, "seed \(seed), step \(step)") }
      }
      values = next
    }
  }
}

@Test func `ascending indexes make runs`() {
  let change = { (kind: ListChange.Kind, indexes: [Int]) in
    RowEdit.edits(of: ListChange(kind, indexes, indexes.map { .integer($0) }))
  }
  #expect(change(.insertion, [1, 2, 6]) == [.insertion(1..<3), .insertion(6..<7)])
  #expect(change(.removal, [1, 2, 6]) == [.removal(6..<7), .removal(1..<3)])
  #expect(change(.move, [3, 0]) == [.move(from: 3, to: 0)])
  #expect(RowEdit.removal(1..<3).nearestIndex(of: 2) == 1)
  #expect(RowEdit.insertion(0..<5).nearestIndex(of: 2) == 7)
}
