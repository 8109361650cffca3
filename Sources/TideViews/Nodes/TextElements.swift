import TideBindings
import TideGraph

/// Validates lists of texts, such as the titles of tabs. A missing text is nil or the null marker.
enum TextElements {
  /// Throws `wrongType` for elements that are not texts.
  ///
  /// - Parameter name: the name of the property in error messages.
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
  /// Reports the first invalid element that edits have added to a list of texts, at the line that
  /// wrote it.
  func reportNonText(of property: ViewProperty, in rows: ListFollowing?, _ edits: [RowEdit]) {
    guard let found = rows?.firstElement(of: edits, where: TextElements.isNoText) else { return }
    var error = TextElements.wrong(
      found.value, at: found.index, of: "\(label).\(property.name)")
    error.location = BindingTable.of(graph).hooks.currentLocation?()
    report(error)
  }
}
