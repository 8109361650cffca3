import OwnThread
import Testing
import TideGraph

@testable import TideBindings

@Suite struct `The records that users edit` {
  private final class Ended: @unchecked Sendable {
    weak var graph: Graph?
  }

  @Test func `keep no graph of a thread that has ended`() {
    let ended = (0..<200).map { _ in
      let ended = Ended()
      JoinedThread {
        let table = BindingTable.current
        _ = table.recordsToEdit
        ended.graph = table.graph
      }.join()
      return ended
    }
    // Those that have ended are released from time to time.
    #expect(ended.count { $0.graph != nil } < 100)
  }
}
