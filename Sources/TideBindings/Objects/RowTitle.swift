import TideGraph

/// The default text of a row, an item or an entry.
package enum RowTitle {
  /// The names of properties that may hold an object's title, the best first.
  package static let names = ["title", "name", "text", "label"]

  /// A text itself, or an object's title, name or text. Reads are recorded.
  package static func of(_ value: Value) -> String {
    guard case .object(let object as DataObject) = value else { return value.text ?? "" }
    for name in names where object.shape.index(of: name) != nil {
      if let text = object[name].text { return text }
    }
    return value.text ?? object.displayName ?? ""
  }
}
