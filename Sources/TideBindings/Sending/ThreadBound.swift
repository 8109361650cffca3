/// Something of the graph's thread on its way through types that are sendable.
// Unchecked, because others only carry it: its thread alone looks inside.
package struct ThreadBound<Content>: @unchecked Sendable {
  package let value: Content

  package init(_ value: Content) { self.value = value }
}

/// Something of the graph's thread on its way to other threads and back, unless it ends before.
// Unchecked, because others only carry it: what is inside is used and given up on its thread alone.
package final class Relay<Content>: @unchecked Sendable {
  /// Nil once it has ended.
  package private(set) var content: Content?

  package init(_ content: Content) { self.content = content }

  package func end() { content = nil }
}
