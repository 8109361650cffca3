package import TideSystem
import TideValues

/// The messages that wait to be written, in their order.
///
/// Adding never waits. A client that reads slowly finds the newest diagnostics of each file in place
/// of all of them; for one that reads nothing the queue has a limit, after which the connection is
/// given up.
package final class Outbox: Sendable {
  private struct Entry {
    var bytes: [UInt8]
    let topic: String?
  }

  private struct State {
    var entries: [Entry] = []
    /// How many were taken before the first entry.
    var taken = 0
    /// The numbers of the entries that a newer one of the same topic replaces.
    var topics: [String: Int] = [:]
    var size = 0
    var isWriting = false
    var isClosed = false
  }

  private let limit: Int
  private let state = Guarded(State())
  private let changed = Condition()

  /// - Parameter limit: bytes that may wait.
  package init(limit: Int = 64 << 20) { self.limit = limit }

  /// Adds a message.
  ///
  /// - Parameter topic: what it is about; of one topic only the newest message waits.
  /// - Returns: false where too much waits already.
  package func add(_ message: JSONValue, topic: String? = nil) -> Bool {
    let bytes = MessageFramer.frame(Array(message.text.utf8))
    let hasRoom = state.withLock { state in
      if state.isClosed { return true }
      if let topic, let number = state.topics[topic] {
        let index = number - state.taken
        state.size += bytes.count - state.entries[index].bytes.count
        state.entries[index].bytes = bytes
      } else {
        if let topic { state.topics[topic] = state.taken + state.entries.count }
        state.entries.append(Entry(bytes: bytes, topic: topic))
        state.size += bytes.count
      }
      return state.size <= limit
    }
    changed.signal()
    return hasRoom
  }

  /// The bytes that wait.
  package var size: Int { state.withLock { $0.size } }

  /// Ends `next` once all is written.
  package func close() {
    state.withLock { $0.isClosed = true }
    changed.signal()
  }

  /// Drops what waits, because it cannot be written.
  package func abandon() {
    state.withLock { state in
      (state.entries, state.topics, state.size) = ([], [:], 0)
      (state.isClosed, state.isWriting) = (true, false)
    }
    changed.signal()
  }

  /// All that is to be written next, waited for; nil at the end.
  package func next() -> [UInt8]? {
    state.withLock { $0.isWriting = false }
    changed.signal()
    while true {
      let known = changed.count
      let (bytes, isOver) = state.withLock { state -> ([UInt8]?, Bool) in
        guard !state.entries.isEmpty else { return (nil, state.isClosed) }
        state.isWriting = true
        return (Self.takeSome(&state), false)
      }
      if let bytes { return bytes }
      if isOver { return nil }
      changed.wait(beyond: known)
    }
  }

  /// A few at a time, so that what waits may still be replaced.
  private static func takeSome(_ state: inout State) -> [UInt8] {
    var bytes: [UInt8] = []
    var count = 0
    for entry in state.entries {
      if let topic = entry.topic { state.topics[topic] = nil }
      bytes += entry.bytes
      count += 1
      if bytes.count > 1 << 16 { break }
    }
    state.entries.removeFirst(count)
    state.taken += count
    state.size -= bytes.count
    return bytes
  }

  /// Waits until all is written, for so long at most.
  package func drain(seconds: Double) {
    while true {
      let known = changed.count
      if state.withLock({ $0.entries.isEmpty && !$0.isWriting }) { return }
      if !changed.wait(beyond: known, seconds: seconds) { return }
    }
  }
}
