import CTideSlots
import OwnThread
import Testing
import TideGraph

/// Runs a test on a graph of its own, which is the thread's meanwhile.
///
/// The graph outlives whatever the test makes on it. Never inlined, because the optimizer may
/// release a constant after its last use, which would be before the end of objects that reach for
/// the graph.
@inline(never)
func withOwnGraph<Result>(_ body: (Graph) throws -> Result) throws -> Result {
  let graph = try Graph()
  let outer = graph.enter()
  defer { Graph.leave(to: outer) }
  return try withExtendedLifetime(graph) { try body(graph) }
}

/// Graphs of threads that have ended.
@Suite(.serialized) struct `A thread's graph` {
  private final class Object: Block {
    init(_ value: Int) {
      super.init(valueCount: 1)
      _ = (header + 1).store(.integer(value))
    }

    var value: Value { (header + 1).load() }
  }

  /// Crosses threads to be released there.
  private struct Sent: @unchecked Sendable {
    var object: Object?
    var others: [Object] = []
  }

  @Test func `is released after its thread, so the number of graphs stays flat`() async throws {
    func makeThreads(_ count: Int) async throws {
      for number in 0..<count {
        #expect(try await onOwnThread { Object(number).value == .integer(number) })
      }
    }
    try await makeThreads(50)
    let before = tide_windows_taken()
    try await makeThreads(2000)
    // Other tests make graphs at the same time.
    #expect(tide_windows_taken() < before + 1500)
  }

  @Test func `lives as long as its objects, which are released elsewhere`() async throws {
    for number in 0..<200 {
      var sent = try await onOwnThread { Sent(object: Object(number)) }
      #expect(sent.object?.value == .integer(number))
      sent.object = nil
    }
    #expect(try await onOwnThread { Object(1).value == 1 })
  }

  /// A thread that ends looks at the graphs of all threads that have ended before.
  @Test func `may lose its objects on one thread while another thread ends`() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<100 {
            var sent = try await onOwnThread { Sent(others: (0..<200).map { Object($0) }) }
            sent.others = []
          }
        }
      }
      try await group.waitForAll()
    }
  }
}
