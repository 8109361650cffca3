/// What holds a Swift value, and may hold the same as another one.
package protocol HoldsContent: AnyObject {
  /// Whether another object holds an equal value; what cannot be compared counts as equal.
  func mayEqual(_ other: AnyObject) -> Bool
}

/// A Swift value that is no scalar, as slots and bindings hold it: opaque to them, and what it is
/// made of for whoever asks.
package class AnyValueBox: HoldsContent, CustomStringConvertible {
  /// What scripts see in its place.
  package enum Form {
    case sequence([Value])
    case entries([(key: Value, value: Value)])
    case encodable(any Encodable)
  }

  package func form() throws -> Form { .sequence([]) }
  package func equals(_ other: AnyValueBox) -> Bool { self === other }
  package func mayEqual(_ other: AnyObject) -> Bool { self === other }
  package var description: String { "" }
}

package final class ValueBox<Content>: AnyValueBox {
  package let content: Content
  private let makeForm: () throws -> Form

  package init(_ content: Content, form: @escaping () throws -> Form) {
    self.content = content
    makeForm = form
  }

  package override func form() throws -> Form { try makeForm() }

  package override func equals(_ other: AnyValueBox) -> Bool {
    guard let other = other as? ValueBox<Content> else { return false }
    if self === other { return true }
    guard let content = content as? any Equatable else { return false }
    return content.equals(other.content)
  }

  package override func mayEqual(_ other: AnyObject) -> Bool {
    guard let other = other as? ValueBox<Content> else { return false }
    return equals(other) || !(content is any Equatable)
  }

  package override var description: String { "\(content)" }
}

extension Equatable {
  package func equals(_ other: Any) -> Bool { (other as? Self) == self }
}

extension Value {
  /// Whether it may equal another value: false only where they are known to differ.
  package func mayEqual(_ other: Value) -> Bool {
    if self == other { return true }
    guard case .object(let object as any HoldsContent) = self, case .object(let other) = other
    else {
      return false
    }
    return object.mayEqual(other)
  }
}

extension TideConvertible {
  /// The value in the form in which a property holds it. What has no value of the engine's, as an
  /// integer beyond 64 bits, is kept whole; scripts that read it get the error.
  @usableFromInline package var held: Value {
    do { return try toValue() } catch {
      return .object(ValueBox(self) { throw error })
    }
  }

  /// Makes one of what a property holds.
  package static func held(_ value: Value) throws -> Self {
    if case .object(let object) = value, let box = object as? ValueBox<Self> { return box.content }
    return try from(value)
  }
}
