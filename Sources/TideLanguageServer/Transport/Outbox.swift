package import TideSystem
import TideValues

/// The queue of messages to be written.
///
/// Adding a message never blocks. A client that reads slowly gets only the newest diagnostics of
/// each file. If the queue exceeds its limit because the client does not read at all, the
/// connection is closed.
package final class Outbox: Sendable {
  private struct Entry {
    var bytes: [UInt8]
    let topic: String?
  }

  private struct State {
    var entries: [Entry] = []
    /// The number of entries taken so far.
    var taken = 0
    /// By topic, the number of the waiting entry to replace.
    var topics: [String: Int] = [:]
    var size = 0
    var isWriting = false
    var isClosed = false
  }

  private let limit: Int
  private let state = Guarded(State())
  private let changed = Condition()

  /// - Parameter limit: the maximum size of waiting messages, in bytes.
  package init(limit: Int = 64 << 20) { self.limit = limit }

  /// Adds a message.
  ///
  /// - Parameter topic: the subject; a waiting message of the same topic is replaced.
  ///
  /// - Returns: false if the limit is exceeded.
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

  /// The size of the waiting messages, in bytes.
  package var size: Int { state.withLock { $0.size } }

  /// Closes the queue; `next` returns nil once everything is written.
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

  /// Waits until everything is written, or until nothing has been written for a number of seconds.
  package func drain(seconds: Double) {
    while true {
      let known = changed.count
      if state.withLock({ $0.entries.isEmpty && !$0.isWriting }) { return }
      if !changed.wait(beyond: known, seconds: seconds) { return }
    }
  }
}
