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
      checkOptions(field.value, of: "a key", ["title", "run"])
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
    let known = StyleName.allCases.map(\.rawValue) + app.styles.sorted()
    if known.contains(name) || app.mayBe(name, app.unknownStyles) { return }
    report(
      .badArgument, "there is no style \"\(name)\"\(hint(for: name, in: known))",
      at: text.range.lowerBound)
  }

  /// `style.define("name", { … })`, and an entry of a theme.
  func check(styleDefinition table: LuaExpression?, of name: String, isState: Bool = false) {
    let known = StyleDefinition.properties + (isState ? [] : StyleDefinition.stateNames)
    for field in table?.fields ?? [] {
      guard let key = field.name else { continue }
      guard known.contains(key.text) else {
        report(
          .unknownProperty,
          "the style \"\(name)\" has no property \"\(key.text)\"\(hint(for: key.text, in: known))",
          at: key.start)
        continue
      }
      if StyleDefinition.stateNames.contains(key.text) {
        check(styleDefinition: field.value, of: name, isState: true)
      }
      guard key.text.hasSuffix("Color"), let text = field.value.string else { continue }
      do throws(TideError) { _ = try Color(text.text) } catch {
        report(error.code, error.message, at: text.contentStart ?? text.range.lowerBound)
      }
    }
  }

  /// `app.theme = "dark"`
  func check(assignmentToApp name: String, _ value: LuaExpression?, at offset: Int) {
    if names.values.app.contains(name) {
      if name == "theme", let theme = value?.string { check(theme: theme) }
    } else if !app.globals.contains("app") {
      report(
        missing: name, "property", of: "app", names.values.app, at: offset)
    }
  }

  private func check(theme: LuaToken) {
    let module = "\(Runtime.themeFolder).\(theme.text)"
    if Theme.names.contains(theme.text)
      || ScriptFiles.module(module, requiredBy: script.source.path) != nil
    {
      return
    }
    report(
      .badArgument,
      "there is no theme \"\(theme.text)\"\(hint(for: theme.text, in: Theme.names))",
      at: theme.range.lowerBound)
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
