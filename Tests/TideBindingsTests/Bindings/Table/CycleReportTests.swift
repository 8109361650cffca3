import OwnThread
import Testing
import TideGraph

@testable import TideBindings

@Suite struct CycleReportTests {
  final class Counter: DataObject {
    @Property var n = 0
  }

  @Test func `a loop of the host's observers is told of while one of them runs`() throws {
    let context = BindingContext()
    let first = Counter(), second = Counter()
    BindingTable.current.clearErrors()
    try context.observe(first, \.n) { new, _ in second.n = new + 1 }
    try context.observe(second, \.n) { new, _ in first.n = new + 1 }
    first.n = 1
    #expect(BindingTable.current.errors.contains { $0.code == .cycle })
    context.removeAll()
    first.n = 1
    #expect(first.n == 1)
  }

  @Test func `a loop is told of where the slots of an earlier one are used again`() async throws {
    // A graph of its own: in one that other tests have filled, a slot waits long for its next use.
    let meetings = try await onOwnThread {
      let table = BindingTable.current
      var seen: Set<Slot> = []
      var meetings = 0
      for _ in 0..<10 {
        var codes: [TideError.Code] = []
        table.hooks.onError = { codes.append($0.code) }
        let context = BindingContext()
        let counter = Counter()
        try context.observe(counter, \.n) { [unowned counter] new, _ in counter.n = new + 1 }
        if !seen.insert(counter.slot(0)).inserted { meetings += 1 }
        counter.n = 1
        #expect(codes == [.cycle])
        context.removeAll()
      }
      return meetings
    }
    #expect(meetings > 0)
  }

  @Test func `a loop is told of again after the list was cleared`() throws {
    let table = BindingTable.current
    let context = BindingContext(), counter = Counter()
    try context.observe(counter, \.n) { [unowned counter] new, _ in counter.n = new + 1 }
    for start in [1, 1000] {
      counter.n = start
      #expect(table.errors.contains { $0.code == .cycle })
      table.clearErrors()
    }
    context.removeAll()
  }
}
