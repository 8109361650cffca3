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
