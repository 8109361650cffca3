/// A value with an array of closures to tell, as many a hand-written observer list in Swift.
final class Node<Value: Equatable> {
  private(set) var value: Value
  private var listeners: [(Value) -> Void] = []

  init(_ value: Value) { self.value = value }

  func set(_ new: Value) {
    guard new != value else { return }
    value = new
    for listener in listeners { listener(new) }
  }

  func listen(_ listener: @escaping (Value) -> Void) { listeners.append(listener) }

  func bind(to target: Node, _ transform: @escaping (Value) -> Value) {
    target.set(transform(value))
    listen { target.set(transform($0)) }
  }

  func bind(to target: Node) {
    target.set(value)
    listen { target.set($0) }
  }

  func unbind() { listeners.removeAll() }
}
