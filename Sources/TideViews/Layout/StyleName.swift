import TideBindings
import TideGraph

/// The names that `style` takes: of a meaning, or of a look.
///
/// ```lua
/// view.label { style = "muted", text = "3 of 12" }
/// view.label { style = { "title", "accent" }, text = "Inbox" }
/// ```
package enum StyleName: String, CaseIterable, Sendable {
  case title, heading, muted, accent, success, warning, error
  case bold, italic, underline, reverse, dim

  /// The names in a text, with blanks between them, or in a list.
  ///
  /// Throws `wrongType` for what is neither, and `badArgument` for an unknown name, with the nearest.
  static func names(
    in value: Value, of view: String, property: String = "style"
  ) throws(TideError) -> [StyleName] {
    switch value {
    case .null: return []
    case .string(let text):
      var names: [StyleName] = []
      for word in text.split(separator: " ") { names.append(try name(String(word))) }
      return names
    case .object(let list as any ListObject):
      var names: [StyleName] = []
      for index in 0..<list.trackedCount {
        guard case .string(let word)? = list.trackedElement(at: index) else {
          throw mismatch(list.trackedElement(at: index) ?? .null, of: view, property)
        }
        names.append(try name(word))
      }
      return names
    default: throw mismatch(value, of: view, property)
    }
  }

  private static func name(_ text: String) throws(TideError) -> StyleName {
    if let name = StyleName(rawValue: text) { return name }
    let hint = NearestName.hint(for: text, in: allCases.map(\.rawValue))
    throw TideError(.badArgument, "there is no style \"\(text.inMessage)\"\(hint)")
  }

  private static func mismatch(
    _ value: Value, of view: String, _ property: String
  ) -> TideError {
    TideError(
      .wrongType,
      "\(view).\(property) is a text with names, or a list of them, not \(value.typeName) \(value.preview)"
    )
  }
}
