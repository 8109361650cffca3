public import TideGraph

/// What properties of a class show for nil and for a controller's markers, where a binding does not
/// say it itself.
///
/// ```swift
/// try context.setPlaceholders(.init(noSelection: "Nobody"), of: ViewClass.label.shape, "text")
/// ```
///
/// A binding that is made afterwards looks for them each time that it carries a value. They hold
/// for subclasses too.
public struct DefaultPlaceholders {
  /// Shown for nil.
  public var null: Value?
  /// Shown for a controller without a selection.
  public var noSelection: Value?
  /// Shown where selected objects differ.
  public var multipleValues: Value?
  /// Shown where selected objects have no such property.
  public var notApplicable: Value?

  /// Makes placeholders; what is nil is shown as it is.
  public init(
    null: Value? = nil, noSelection: Value? = nil, multipleValues: Value? = nil,
    notApplicable: Value? = nil
  ) {
    self.null = null
    self.noSelection = noSelection
    self.multipleValues = multipleValues
    self.notApplicable = notApplicable
  }

  /// The bytes of the texts among them.
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
  /// Says what a property of all objects of a class shows for nil and for markers, until this
  /// context ends; bindings that are made later honour it.
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
    // What was said before, by a context that is still there, holds again.
    own { [unowned table] in
      // The number of the class may be another's by now.
      table.placeholders[number]?[property]?.remove(entry, where: { $0 === shown })
    }
  }
}

/// What one context said of a property of a class.
final class ClassPlaceholders {
  /// What it takes, with its entry in the table.
  private static let weight = 400
  let shown: DefaultPlaceholders
  /// Takes them away when it ends; one that waits, as that of a version that is about to, says
  /// nothing.
  unowned let context: BindingContext
  private let held: CountedText?

  init(_ shown: DefaultPlaceholders, of context: BindingContext) {
    self.shown = shown
    held = context.table.hold(Self.weight + shown.textBytes)
    self.context = context
  }
}

extension BindingTable {
  /// The number of a class that is gone may become another's.
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
