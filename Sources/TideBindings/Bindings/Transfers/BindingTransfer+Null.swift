import TideGraph

// What a transfer shows for nil: a value in its place, or in a field for text a mark that is no part
// of the text.
extension BindingTransfer {
  /// The value with the placeholder that stands for it.
  func shown(_ value: Value) -> Value {
    if options?.null != nil, value.isNil || isWithoutSelection(value) { return valueForNull }
    return options?.placeholder(for: value) ?? value
  }

  /// Whether its target shows nil by a mark that is no part of the text.
  private var marksNull: Bool { property?.marksNull ?? false }

  /// What it writes for nil.
  var valueForNull: Value { (marksNull ? nil : options?.null) ?? .null }

  /// Has a target that marks nil show whether the value is nil.
  func mark(_ value: Value, in object: DataObject, at index: Int) {
    guard value.isNil ? marksNull : hasMarked, let view = object as? any ShowsNull else { return }
    hasMarked = value.isNil
    guard hasMarked else { return view.showNull(nil) }
    let name = object.shape.propertiesByIndex[index].name
    view.showNull(
      options?.null?.text ?? view.shownForNull
        ?? table.defaultPlaceholder(for: .null, of: object, name)?.text)
  }

  /// Whether nothing is selected and the binding has no placeholder for that.
  private func isWithoutSelection(_ value: Value) -> Bool {
    value == Marker.noSelection.value && options?.placeholder(for: value) == nil
  }
}
