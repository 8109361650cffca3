import TideGraph

/// The destination of a binding's writes: a property, or an entry of an object with dynamic names.
enum Destination {
  case property(DataObject, Int)
  case entry(DataObject, String)

  init?(_ name: String, of object: DataObject) {
    if let index = object.shape.index(of: name) {
      self = .property(object, index)
    } else if (try? object.dynamicValue(of: name)) != nil {
      self = .entry(object, name)
    } else {
      return nil
    }
  }

  /// Whether both refer to the same property or entry.
  func isSame(as other: Destination) -> Bool {
    switch (self, other) {
    case (.property(let object, let index), .property(let another, let anotherIndex)):
      object === another && index == anotherIndex
    case (.entry(let object, let name), .entry(let another, let key)):
      object === another && name == key
    default: false
    }
  }

  var object: DataObject {
    switch self {
    case .property(let object, _), .entry(let object, _): object
    }
  }

  /// Whether its type accepts user input.
  var takesEntries: Bool {
    guard case .property(let object, let index) = self else { return true }
    switch object.description(ofProperty: index).type {
    case .string, .number, .integer, .boolean, .any: return true
    case .object, .list, .dictionary: return false
    }
  }

  /// The property's messages for rejected user input.
  var messages: EditMessages? {
    guard case .property(let object, let index) = self else { return nil }
    return object.description(ofProperty: index).messages
  }

  /// Its value, without recording a read.
  var value: Value {
    switch self {
    case .property(let object, let index): object.graph.untracked { object.slot(index).load() }
    case .entry(let object, let name):
      object.graph.untracked { (try? object.dynamicValue(of: name)) ?? .null }
    }
  }

  /// The value before the first write.
  var initial: Value {
    guard case .property(let object, let index) = self else { return .null }
    let first = (object as? any KeepsFirstValues)?.firstValue(ofProperty: index)
    return first ?? object.description(ofProperty: index).initial.value
  }

  /// Describes the failure of a binding that has no value for this destination.
  func failure(isStale: Bool) -> BindingFailure {
    guard case .property(_, let index) = self else {
      return BindingFailure(property: -1, isStale: isStale)
    }
    return BindingFailure(property: index, isStale: isStale)
  }

  /// Whether its type is `integer`.
  var isInteger: Bool {
    guard case .property(let object, let index) = self else { return false }
    return object.description(ofProperty: index).type == .integer
  }

  /// Converts a value to the property's type. A selection marker becomes its class's placeholder.
  func converted(_ value: Value) throws(TideError) -> Value {
    guard case .property(let object, let index) = self else { return value }
    let property = object.description(ofProperty: index)
    var value = value
    if value.isNil, let view = object as? any ShowsNull {
      if view.marksNull(inProperty: index) {
        return try object.converted(.null, to: property, at: index)
      }
      if property.type == .string, property.name == "text", let shown = view.shownForNull {
        return .string(shown)
      }
    }
    if let shown = BindingTable.of(object.graph).defaultPlaceholder(
      for: value, of: object, property.name)
    {
      value = shown
    } else if value.selectionMarker != nil, property.type != .any || object is ProxyProperty {
      // A property cannot hold the marker; without a placeholder it shows nothing.
      value = .null
    }
    if let cases = property.cases, value != .null { return try value.converted(toOneOf: cases) }
    return try object.converted(value, to: property, at: index)
  }
}
