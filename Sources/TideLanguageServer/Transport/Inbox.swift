import TideSystem
import TideValues

/// The messages that have come and are not handled yet, in their order.
///
/// The thread that reads adds them; the one that analyses takes them. A `$/cancelRequest` does not
/// queue: it marks its request at once, whether that waits or is running.
///
/// Where the reader is far ahead it waits, so that the client has to wait as well.
package final class Inbox: Sendable {
  /// A message, and what asks whether it is still wanted.
  package struct Entry: Sendable {
    package let message: ProtocolMessage
    package let cancellation: Cancellation
    let size: Int
  }

  package enum Next: Sendable {
    case message(Entry)
    /// There are no more: the client has closed its end, or the reason why nothing can be read.
    case end(reason: String?)
    case none
  }

  private struct State {
    var entries: [Entry] = []
    /// The index of the first that is left; those before it are empty room.
    var first = 0
    var size = 0
    /// The requests that are not answered.
    var unanswered: [RequestID: Cancellation] = [:]
    var isClosed = false
    var reason: String?
  }

  /// Bytes of messages that may wait.
  private let limit: Int
  private let state = Guarded(State())
  private let hasMore = Condition()
  private let hasRoom = Condition()

  package init(limit: Int = MessageFramer.messageLimit) { self.limit = limit }

  /// Adds a message of so many bytes, once there is room.
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

  /// Nothing comes after what is there.
  package func close(reason: String? = nil) {
    state.withLock { state in
      if state.isClosed { return }
      state.isClosed = true
      state.reason = reason
    }
    hasMore.signal()
    hasRoom.signal()
  }

  /// Drops what waits as well.
  package func abandon(reason: String) {
    state.withLock { state in
      (state.entries, state.first, state.size) = ([], 0, 0)
      state.isClosed = true
      state.reason = reason
    }
    hasMore.signal()
    hasRoom.signal()
  }

  /// Whether there is nothing to handle, so that there is time for other work.
  package var isEmpty: Bool {
    state.withLock { $0.first == $0.entries.count && !$0.isClosed }
  }

  /// The next message.
  ///
  /// - Parameter waits: whether to wait where there is none.
  package func next(waits: Bool) -> Next { next(within: waits ? .infinity : 0) }

  /// The next message, or none if there is none for so many seconds.
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
        // Taken ones hold their messages until here.
        state.entries.removeFirst(state.first)
        state.first = 0
      }
      return .message(entry)
    }
  }

  /// Its id may be used again.
  func noteAnswer(to id: RequestID) { _ = state.withLock { $0.unanswered.removeValue(forKey: id) } }
}
