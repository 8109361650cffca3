import NIOCore
import TideValues

/// The connections of a server: those of viewers, and others, which wait for a request or for its
/// answer.
///
///     add ──▶ waiting ──admit──▶ viewers
///                │ too many: the one that came first is closed
///
/// So whoever opens connections and says nothing takes no place from who comes later.
final class OpenConnections: Sendable {
  private let limits: PageServer.Limits
  private let state = Guarded(State())

  private struct State {
    var waiting: [Int: any Channel] = [:]
    var viewers: [Int: any Channel] = [:]
    var last = 0
    /// No smaller number waits.
    var first = 1
  }

  init(_ limits: PageServer.Limits) { self.limits = limits }

  var isFull: Bool { state.withLock { $0.viewers.count >= limits.viewers } }
  var hasViewers: Bool { state.withLock { !$0.viewers.isEmpty } }

  /// Notes a connection until it closes, and gives its number.
  func add(_ channel: any Channel) -> Int {
    let (number, outdated) = state.withLock { state in
      state.last += 1
      var outdated: (any Channel)?
      if state.waiting.count >= limits.waiting {
        while state.waiting[state.first] == nil { state.first += 1 }
        outdated = state.waiting.removeValue(forKey: state.first)
      }
      state.waiting[state.last] = channel
      return (state.last, outdated)
    }
    outdated?.close(promise: nil)
    channel.closeFuture.whenComplete { [self] _ in
      state.withLock { state in
        state.waiting[number] = nil
        state.viewers[number] = nil
      }
    }
    return number
  }

  /// Makes a connection one of a viewer; false where there are too many.
  func admit(_ number: Int) -> Bool {
    state.withLock { state in
      guard state.viewers.count < limits.viewers,
        let channel = state.waiting.removeValue(forKey: number)
      else { return false }
      state.viewers[number] = channel
      return true
    }
  }

  func closeAll() {
    let channels = state.withLock { Array($0.waiting.values) + Array($0.viewers.values) }
    for channel in channels { channel.close(promise: nil) }
  }
}
