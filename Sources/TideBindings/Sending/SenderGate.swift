import TideGraph
import TideValues

/// Passes values to a function on whatever thread sends them, until its context is cleared. A call
/// that is under way at that moment goes on.
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

  /// Held back while it is false; then the latest value is passed on the thread that enables it.
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

/// Something of the graph's thread on its way through types that are sendable.
// Unchecked, because other threads only carry it: `value` is used on its own thread alone.
package struct ThreadBound<Content>: @unchecked Sendable {
  package let value: Content

  package init(_ value: Content) { self.value = value }
}

/// Something of the graph's thread on its way to other threads and back, unless it ends before.
// Unchecked, because other threads only carry it: `content` is used and released on its own thread
// alone.
package final class Relay<Content>: @unchecked Sendable {
  /// Nil once it has ended.
  package private(set) var content: Content?

  package init(_ content: Content) { self.content = content }

  package func end() { content = nil }
}
