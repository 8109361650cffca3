import TideGraph
import TideValues

/// Passes values to a function on the thread that sends them, until its context is cleared. A call
/// that is running at that moment continues.
final class SenderGate<Content: Sendable>: Sendable {
  private struct State {
    var body: (@Sendable (Content) -> Void)?
    var isEnabled = true
    var held: Content?
  }
  private let state: Guarded<State>

  init(_ body: @escaping @Sendable (Content) -> Void) { state = Guarded(State(body: body)) }

  func pass(_ value: Content) {
    let body = state.withLock { state -> (@Sendable (Content) -> Void)? in
      if state.isEnabled { return state.body }
      state.held = value
      return nil
    }
    body?(value)
  }

  /// While it is false, the latest value is held. The thread that sets it to true passes this
  /// value.
  var isEnabled: Bool {
    get { state.withLock { $0.isEnabled } }
    set {
      let held = state.withLock { state -> Content? in
        state.isEnabled = newValue
        guard newValue else { return nil }
        defer { state.held = nil }
        return state.held
      }
      if let held { pass(held) }
    }
  }

  func end() { state.withLock { $0.body = nil } }
}

/// Content of the graph's thread that passes through sendable types.
// Unchecked, because other threads only carry it: `value` is only used on its own thread.
package struct ThreadBound<Content>: @unchecked Sendable {
  package let value: Content

  package init(_ value: Content) { self.value = value }
}

/// Content of the graph's thread that passes to other threads and back, until it is ended.
// Unchecked, because other threads only carry it: `content` is only used and released on its own
// thread.
package final class Relay<Content>: @unchecked Sendable {
  /// Nil once it has ended.
  package private(set) var content: Content?

  package init(_ content: Content) { self.content = content }

  package func end() { content = nil }
}
