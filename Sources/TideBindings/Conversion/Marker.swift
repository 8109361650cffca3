public import TideGraph
package import TideValues

/// A value that represents the absence or the state of another value. Scripts know markers by name.
///
/// ```swift
/// let digits = Transformer { (text: String) -> Value in
///   Int(text).map { .integer($0) } ?? Marker.unchanged.value
/// }
/// ```
public final class Marker: Sendable, CustomStringConvertible, NamedKind {
  /// The name in scripts.
  public let description: String

  private init(_ description: String) {
    self.description = description
  }

  /// Represents nil in lists, which cannot hold nil.
  public static let null = Marker("null")
  /// A transformer's result that must not be written.
  public static let unchanged = Marker("unchanged")
  /// A controller without a selection.
  public static let noSelection = Marker("NoSelection")
  /// Selected objects that differ.
  public static let multipleValues = Marker("MultipleValues")
  /// Selected objects that have no such property.
  public static let notApplicable = Marker("NotApplicable")

  /// The key for all other values in a map.
  public static let otherwise = Marker("otherwise")

  package var kindName: String { description }

  /// The marker as a value.
  public var value: Value { .object(self) }

  /// Whether a controller's selection returns it in place of a value.
  package var isOfSelection: Bool {
    self === Self.noSelection || self === Self.multipleValues || self === Self.notApplicable
  }
}

extension Value {
  /// A transformer's result that must not be written.
  public static var unchanged: Value { Marker.unchanged.value }

  /// True for a transformer's result that must not be written.
  @inlinable
  public var isUnchanged: Bool {
    if case .object(let object) = self { object === Marker.unchanged } else { false }
  }

  /// The marker that a controller's selection has returned in place of a value; nil for other
  /// values.
  package var selectionMarker: Marker? {
    guard case .object(let object) = self, let marker = object as? Marker, marker.isOfSelection
    else { return nil }
    return marker
  }

  /// True for nil and for the marker that represents it in lists.
  public var isNil: Bool {
    switch self {
    case .null: true
    case .object(let object): object === Marker.null
    default: false
    }
  }
}
