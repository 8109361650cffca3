import TideBindings
import TideGraph

/// What lists of texts hold, such as the titles of tabs: texts, and nil or the marker for it where
/// one is missing.
enum TextElements {
  /// Throws `wrongType` for elements that are no texts.
  ///
  /// - Parameter name: what messages call the property.
  static func check(_ value: Value, of name: String) throws(TideError) {
    guard case .object(let list as any ListObject) = value else { return }
    for index in 0..<list.trackedCount {
      let element = list.trackedElement(at: index) ?? .null
      if isNoText(element) { throw wrong(element, at: index, of: name) }
    }
  }

  fileprivate static func isNoText(_ value: Value) -> Bool {
    switch value {
    case .string, .bytes: false
    default: !value.isNil
    }
  }

  fileprivate static func wrong(_ value: Value, at index: Int, of name: String) -> TideError {
    TideError(
      .wrongType,
      "\(name) are texts, but element \(index + 1) is \(value.typeName) \(value.preview)")
  }
}

extension View {
  /// Reports the first of the elements that edits have brought to a list of texts and that is none,
  /// at the line that has written it.
  func reportNonText(of property: ViewProperty, in rows: ListFollowing?, _ edits: [RowEdit]) {
    guard let found = rows?.firstElement(of: edits, where: TextElements.isNoText) else { return }
    var error = TextElements.wrong(
      found.value, at: found.index, of: "\(label).\(property.name)")
    error.location = BindingTable.of(graph).hooks.currentLocation?()
    report(error)
  }
}
