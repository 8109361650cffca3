import TideBindings
import TideViews
import TideScript

// Names within the values of a view's properties, where these are literals.
extension ScriptChecker {
  func check(literal value: LuaExpression, of property: String) {
    switch property {
    case "style": check(style: value)
    case "padding", "margin":
      for field in value.fields ?? [] {
        guard let key = field.name, !Sides.names.contains(key.text) else { continue }
        report(
          .wrongType, "\(property) has no \"\(key.text)\"\(hint(for: key.text, in: Sides.names))",
          at: key.start)
      }
    case "columns":
      for column in value.fields ?? [] { check(column: column.value) }
    default: break
    }
  }

  func check(keys table: LuaExpression) {
    for field in table.fields ?? [] {
      guard let name = field.name else { continue }
      do throws(TideError) { _ = try Key(name.text) } catch {
        report(error.code, error.message, at: name.start)
      }
    }
  }

  private func check(style value: LuaExpression) {
    if let text = value.string {
      for word in text.text.split(separator: " ") { check(style: String(word), in: text) }
    }
    for field in value.fields ?? [] {
      if let key = field.name {
        report(
          .wrongType,
          "style is a text with names, or a list of them; \"\(key.text)\" is a field's name",
          at: key.start)
      } else if let text = field.value.string {
        check(style: text.text, in: text)
      }
    }
  }

  private func check(style name: String, in text: LuaToken) {
    let known = StyleName.allCases.map(\.rawValue)
    if known.contains(name) { return }
    report(
      .badArgument, "there is no style \"\(name)\"\(hint(for: name, in: known))",
      at: text.range.lowerBound)
  }

  private func check(column: LuaExpression) {
    for field in column.fields ?? [] {
      guard let key = field.name else { continue }
      if !TableColumn.names.contains(key.text) {
        report(
          .unknownProperty,
          "a column has no \"\(key.text)\"\(hint(for: key.text, in: TableColumn.names))",
          at: key.start)
      } else if key.text == "align", let align = field.value.string,
        !TableColumn.alignments.contains(align.text)
      {
        report(
          .badArgument,
          "a column's align is start, center or end, not \"\(align.text)\""
            + hint(for: align.text, in: TableColumn.alignments),
          at: align.contentStart ?? align.range.lowerBound)
      }
    }
  }
}

/// Where a view stands that is written in the table of another, and what that tells of its paths.
final class ViewContext {
  let superview: ViewContext?
  /// What the view's `dataObject` is, its own or that of a superview; nil where it is not known.
  let dataObject: InferredType?

  init(in superview: ViewContext?, dataObject: InferredType?) {
    self.superview = superview
    self.dataObject = dataObject
  }
}
