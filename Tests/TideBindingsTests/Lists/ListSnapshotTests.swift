import Testing
import TideGraph

@testable import TideBindings

/// The elements of a list at one moment.
@Suite struct ListSnapshotTests {
  @Test func `a snapshot stays as it was while the list is edited`() throws {
    for count in [3, 1000] {
      let list = ValueList((0..<count).map { Value.integer($0) })
      let rows = list.snapshot
      try list.insert(-1, at: 0)
      try list.remove(numbered: 2, count: 1)
      try list.append(-2)
      try list.replace(at: 1, with: -3)
      #expect(rows.count == count)
      #expect((0..<count).allSatisfy { rows[$0] == .integer($0) })
      #expect(rows[-1] == nil && rows[count] == nil)
      try list.clear()
      #expect(rows[0] == 0)
    }
  }

  @Test func `only chunks that the list does not hold any more are counted, and once`() throws {
    let list = ValueList((0..<1000).map { Value.integer($0) })
    let (first, second) = (list.snapshot, list.snapshot)
    func weight(_ snapshots: ListSnapshot...) -> Int {
      var meter = MemoryMeter()
      var counted = CountedChunks()
      for rows in snapshots { rows.addHeld(to: &meter, beside: list, counted: &counted) }
      return meter.bytes
    }
    #expect(weight(first, second) == 0)
    try list.replace(at: 0, with: -1)
    let chunk = weight(first)
    #expect(chunk > 0 && chunk < 1000 * MemoryLayout<Value>.stride / 2)
    #expect(weight(first, second) == chunk)
    try list.clear()
    #expect(weight(first, second) > 1000 * MemoryLayout<Value>.stride)
    #expect(weight(first, second) == weight(second))
  }

  @Test func `deeply nested lists are released without recursion`() {
    var list = ValueList()
    var deepest = list.snapshot
    for _ in 0..<100_000 {
      list = ValueList([.object(list)])
      deepest = list.snapshot
    }
    list = ValueList()
    deepest.release()
    #expect(deepest.count == 0)
  }
}
