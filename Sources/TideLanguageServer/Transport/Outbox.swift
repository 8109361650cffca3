package import TideSystem
import TideValues

/// The messages that wait to be written, in their order.
///
/// Adding never blocks. A client that reads slowly gets only the newest diagnostics of each file.
/// The queue has a limit, beyond which the connection is given up, for a client that does not read
/// at all.
package final class Outbox: Sendable {
  private struct Entry {
    var bytes: [UInt8]
    let topic: String?
  }

  private struct State {
    var entries: [Entry] = []
    /// How many entries were taken before the first one that is left.
    var taken = 0
    /// The numbers of the waiting entries that a newer message of the same topic replaces.
    var topics: [String: Int] = [:]
    var size = 0
    var isWriting = false
    var isClosed = false
  }

  private let limit: Int
  private let state = Guarded(State())
  private let changed = Condition()

  /// - Parameter limit: how many bytes may wait.
  package init(limit: Int = 64 << 20) { self.limit = limit }

  /// Adds a message.
  ///
  /// - Parameter topic: what it is about; it replaces a waiting message of the same topic.
  ///
  /// - Returns: false if too much is waiting.
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

  /// How many bytes wait.
  package var size: Int { state.withLock { $0.size } }

  /// Lets `next` return nil once everything is written.
  package func close() {
    state.withLock { $0.isClosed = true }
    changed.signal()
  }

  /// Drops all messages, because they cannot be written.
  package func abandon() {
    state.withLock { state in
      (state.entries, state.topics, state.size) = ([], [:], 0)
      (state.isClosed, state.isWriting) = (true, false)
    }
    changed.signal()
  }

  /// Waits for bytes to write, and takes them; nil at the end.
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

  /// Takes a few messages at a time, so that the others can still be replaced.
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

  /// Waits until everything is written, or until nothing was written for so many seconds.
  package func drain(seconds: Double) {
    while true {
      let known = changed.count
      if state.withLock({ $0.entries.isEmpty && !$0.isWriting }) { return }
      if !changed.wait(beyond: known, seconds: seconds) { return }
    }
  }
}
