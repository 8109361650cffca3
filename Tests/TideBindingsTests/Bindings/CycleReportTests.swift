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
}
