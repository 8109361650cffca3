/// An object that holds a Swift value which can be compared with another one.
package protocol HoldsContent: AnyObject {
  /// Whether another object may hold an equal value. Values that cannot be compared count as
  /// possibly equal.
  func mayEqual(_ other: AnyObject) -> Bool
}

/// A Swift value that is not a scalar, in slots and bindings. They treat it as opaque; scripts get
/// its contents by `form()`.
package class AnyValueBox: HoldsContent, CustomStringConvertible {
  /// The form in which scripts see the value.
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
  /// Whether the value may equal another one; false only if they are known to differ.
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
  /// The value as a property stores it. A Swift value that the engine cannot represent, such as an
  /// integer beyond 64 bits, is stored whole; scripts that read it get the error.
  @usableFromInline package var held: Value {
    do { return try toValue() } catch {
      return .object(ValueBox(self) { throw error })
    }
  }

  /// Converts the stored value of a property.
  package static func held(_ value: Value) throws -> Self {
    if case .object(let object) = value, let box = object as? ValueBox<Self> { return box.content }
    return try from(value)
  }
}
