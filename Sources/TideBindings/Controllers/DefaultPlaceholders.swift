public import TideGraph

/// The placeholders that a property of a class shows for nil and for a controller's markers, unless
/// a binding has its own.
///
/// ```swift
/// try context.setPlaceholders(.init(noSelection: "Nobody"), of: ViewClass.label.shape, "text")
/// ```
///
/// A binding made afterwards looks them up each time it carries a value. They apply to subclasses
/// too.
public struct DefaultPlaceholders {
  /// Shown for nil.
  public var null: Value?
  /// Shown for a controller without a selection.
  public var noSelection: Value?
  /// Shown where selected objects differ.
  public var multipleValues: Value?
  /// Shown where selected objects have no such property.
  public var notApplicable: Value?

  /// Makes placeholders. A nil argument leaves the value or marker as it is.
  public init(
    null: Value? = nil, noSelection: Value? = nil, multipleValues: Value? = nil,
    notApplicable: Value? = nil
  ) {
    self.null = null
    self.noSelection = noSelection
    self.multipleValues = multipleValues
    self.notApplicable = notApplicable
  }

  /// The size of the texts in bytes.
  package var textBytes: Int {
    [null, noSelection, multipleValues, notApplicable].reduce(0) { $0 + ($1?.textBytes ?? 0) }
  }

  func shown(for value: Value) -> Value? {
    if value == .null { return null }
    guard let marker = value.selectionMarker else { return nil }
    if marker === Marker.noSelection { return noSelection }
    return marker === Marker.multipleValues ? multipleValues : notApplicable
  }
}

extension BindingContext {
  /// Sets the placeholders of a property for all objects of a class until this context ends. They
  /// apply to bindings made afterwards.
  ///
  /// - Throws: `unknownProperty` where the class has no such property.
  public func setPlaceholders(
    _ placeholders: DefaultPlaceholders, of shape: Shape, _ property: String
  ) throws(TideError) {
    guard shape.index(of: property) != nil else {
      let names = shape.properties.map(\.name)
      throw TideError(
        .unknownProperty,
        "\(shape.name) has no property \"\(property.inMessage)\"\(NearestName.hintOrNames(for: property, in: names))"
      )
    }
    let shown = ClassPlaceholders(placeholders, of: self)
    let (table, number) = (table, shape.number)
    let entry = table.placeholders[number, default: [:]][property, default: NumberedList()]
      .append(shown)
    // When this context ends, the placeholders of an earlier context apply again.
    own { [unowned table] in
      // The number of the class may have been reused.
      table.placeholders[number]?[property]?.remove(entry, where: { $0 === shown })
    }
  }
}

/// The placeholders that one context has set for a property of a class.
final class ClassPlaceholders {
  /// Its size in bytes, with its entry in the table.
  private static let weight = 400
  let shown: DefaultPlaceholders
  /// Removes them when it ends. They do not apply while it is disabled, such as the context of a
  /// version that is about to end.
  unowned let context: BindingContext
  private let held: CountedText?

  init(_ shown: DefaultPlaceholders, of context: BindingContext) {
    self.shown = shown
    held = context.table.hold(Self.weight + shown.textBytes)
    self.context = context
  }
}

extension BindingTable {
  /// Removes the placeholders of a class that is gone, because its number may be reused.
  package func forgetPlaceholders(ofClass number: UInt32) { placeholders[number] = nil }

  func defaultPlaceholders(at slot: Slot) -> DefaultPlaceholders? {
    if placeholders.isEmpty { return nil }
    guard let header = slot.blockHeader, let object = header.block as? DataObject else {
      return nil
    }
    return defaultPlaceholders(of: object, object.shape.propertiesByIndex[slot - header - 1].name)
  }

  func defaultPlaceholder(for value: Value, of object: DataObject, _ property: String) -> Value? {
    if placeholders.isEmpty { return nil }
    return defaultPlaceholders(of: object, property)?.shown(for: value)
  }

  private func defaultPlaceholders(
    of object: DataObject, _ property: String
  ) -> DefaultPlaceholders? {
    var shape: Shape? = object.shape
    while let current = shape {
      let said = placeholders[current.number]?[property]
      if let found = said?.last(where: { $0.context.isEnabled }) { return found.shown }
      shape = current.superclass
    }
    return nil
  }
}
