import TideSystem
import TideValues

/// The queue of received messages that have not been handled yet.
///
/// The reading thread adds messages, and the server's thread takes them. A `$/cancelRequest` is not
/// queued; it immediately marks its request, whether waiting or running.
///
/// If too many messages are waiting, the reading thread blocks, and eventually the client does too.
package final class Inbox: Sendable {
  /// A message with its cancellation flag.
  package struct Entry: Sendable {
    package let message: ProtocolMessage
    package let cancellation: Cancellation
    let size: Int
  }

  package enum Next: Sendable {
    case message(Entry)
    /// The end of input: the client has closed its end, or reading failed with a reason.
    case end(reason: String?)
    case none
  }

  private struct State {
    var entries: [Entry] = []
    /// The index of the first waiting entry; earlier entries have been taken.
    var first = 0
    var size = 0
    /// The requests without a response so far.
    var unanswered: [RequestID: Cancellation] = [:]
    var isClosed = false
    var reason: String?
  }

  /// The maximum size of waiting messages, in bytes.
  private let limit: Int
  private let state = Guarded(State())
  private let hasMore = Condition()
  private let hasRoom = Condition()

  package init(limit: Int = MessageFramer.messageLimit) { self.limit = limit }

  /// Adds a message of `size` bytes, once there is room.
  package func add(_ message: ProtocolMessage, size: Int) {
    if case .notification("$/cancelRequest", let params) = message {
      if let id = RequestID(params["id"]) {
        state.withLock { $0.unanswered[id] }?.cancel()
      }
      return
    }
    while true {
      let known = hasRoom.count
      let isFull = state.withLock { $0.size > limit && !$0.isClosed }
      if !isFull { break }
      hasRoom.wait(beyond: known)
    }
    append(message, size: size)
  }

  /// Adds one of the server's own messages without waiting, because the posting thread may be the
  /// one that makes room.
  package func post(_ message: ProtocolMessage) { append(message, size: 0) }

  private func append(_ message: ProtocolMessage, size: Int) {
    state.withLock { state in
      if state.isClosed { return }
      let cancellation = Cancellation()
      var message = message
      if case .request(let id, _, _) = message {
        if state.unanswered[id] == nil {
          state.unanswered[id] = cancellation
        } else {
          let error = ResponseError(.invalidRequest, "a request with this id is being handled")
          message = .invalid(id, error)
        }
      }
      state.entries.append(Entry(message: message, cancellation: cancellation, size: size))
      state.size += size
    }
    hasMore.signal()
  }

  /// Closes the queue; waiting messages can still be taken.
  package func close(reason: String? = nil) {
    state.withLock { state in
      if state.isClosed { return }
      state.isClosed = true
      state.reason = reason
    }
    hasMore.signal()
    hasRoom.signal()
  }

  /// Closes the queue and drops the waiting messages.
  package func abandon(reason: String) {
    state.withLock { state in
      (state.entries, state.first, state.size) = ([], 0, 0)
      state.isClosed = true
      state.reason = reason
    }
    hasMore.signal()
    hasRoom.signal()
  }

  /// Whether no messages are waiting, so that there is time for other work.
  package var isEmpty: Bool {
    state.withLock { $0.first == $0.entries.count && !$0.isClosed }
  }

  /// The next message.
  ///
  /// - Parameter waits: whether to wait if there is none.
  package func next(waits: Bool) -> Next { next(within: waits ? .infinity : 0) }

  /// The next message, or `none` if none arrives within the timeout in seconds.
  package func next(within seconds: Double) -> Next {
    while true {
      let known = hasMore.count
      let next = take()
      guard case .none = next, seconds > 0 else { return next }
      if seconds.isInfinite {
        hasMore.wait(beyond: known)
      } else if !hasMore.wait(beyond: known, seconds: seconds) {
        return take()
      }
    }
  }

  private func take() -> Next {
    defer { hasRoom.signal() }
    return state.withLock { state in
      guard state.first < state.entries.count else {
        return state.isClosed ? .end(reason: state.reason) : .none
      }
      let entry = state.entries[state.first]
      state.first += 1
      state.size -= entry.size
      if state.first == state.entries.count {
        state.entries.removeAll(keepingCapacity: state.first < 1000)
        state.first = 0
      } else if state.first >= 1000 {
        // Taken entries have retained their messages until now.
        state.entries.removeFirst(state.first)
        state.first = 0
      }
      return .message(entry)
    }
  }

  /// Records the response to a request, so that its id may be reused.
  func noteAnswer(to id: RequestID) { _ = state.withLock { $0.unanswered.removeValue(forKey: id) } }
}
