import TideBindings
import TideGraph

/// How a row, an item or an entry goes where nothing says how to show it.
enum RowTitle {
  /// Property names that say what an object is called, the best first.
  static let names = ["title", "name", "text", "label"]

  /// A text by itself, an object by its title, name or text; what is read is recorded.
  static func of(_ value: Value) -> String {
    guard case .object(let object as DataObject) = value else { return value.text ?? "" }
    for name in names where object.shape.index(of: name) != nil {
      if let text = object[name].text { return text }
    }
    return value.text ?? object.displayName ?? ""
  }
}
