import TideBindings
import TideSystem
import TideViews
import TideScript

// Names within literal values of a view's properties.
extension ScriptChecker {
  func check(literal value: LuaExpression, of property: String, _ viewClass: String) {
    switch property {
    case "style": check(style: value)
    case "padding", "margin":
      if property == "padding" { check(padding: value, of: viewClass) }
      for field in value.fields ?? [] {
        guard let key = field.name else { continue }
        mention(key.text, at: key.start, .options(of: property, Sides.names))
        if Sides.names.contains(key.text) { continue }
        report(
          .wrongType,
          "\(property) has no \"\(key.text)\"\(hintOrNames(for: key.text, in: Sides.names))",
          at: key.start)
      }
    case "items" where viewClass == "menu": check(menuItems: value)
    case "contextMenu": check(menuItems: value)
    default: break
    }
  }

  /// Reports `view.slider { minimum = 10, maximum = 0 }`.
  func check(limitsIn fields: [LuaField], of name: String) {
    func number(_ option: String) -> Double? {
      guard case .number(let text)? = fields[option].flatMap({ LiteralKind($0) }) else {
        return nil
      }
      return Double(text)
    }
    for (low, high) in [("minimum", "maximum"), ("minWidth", "maxWidth")] {
      guard let least = number(low), let most = number(high), least > most,
        let value = fields[high]
      else { continue }
      report(
        .wrongType, "\(name).\(high) is less than its \(low)", at: value.range.lowerBound, .warning)
    }
  }

  private func check(padding value: LuaExpression, of viewClass: String) {
    switch LiteralKind(value) {
    case .number(let text)? where text.hasPrefix("-"): break
    case .string?, .boolean?: break
    default: return
    }
    report(
      .wrongType,
      "\(viewClass).padding is a number of cells, 0 or more, not \(LiteralKind(value)?.shown ?? "")",
      at: value.range.lowerBound)
  }

  func check(keys table: LuaExpression) {
    for field in table.fields ?? [] {
      guard let name = field.name else { continue }
      mention(name.text, at: name.start, .keys)
      do throws(TideError) { _ = try Key(name.text) } catch {
        report(error.code, error.message, at: name.start)
      }
      checkOptions(field.value, of: "a key", ["title", "run"])
      check(handler: field.value.fields?["run"] ?? field.value)
      if let fields = field.value.fields, !fields.isEmpty, fields["title"] != nil, fields.count == 1
      {
        report(
          .badArgument,
          "a key with a title needs a function: { title = …, run = function() … end }",
          at: field.value.range.lowerBound)
      }
    }
  }

  /// Checks the items of a menu. A function may return them.
  private func check(menuItems value: LuaExpression) {
    for item in index.columns(of: value) {
      guard let fields = item.fields else { continue }
      let known = names.types.fields(of: "MenuItemFields").keys.sorted()
      mention(fieldAtCaretIn: item, .options(of: "an item of a menu", known))
      for field in fields {
        guard let key = field.name else { continue }
        mention(key.text, at: key.start, .options(of: "an item of a menu", known))
        if !known.contains(key.text) {
          report(
            .unknownProperty,
            "an item of a menu has no property \"\(key.text)\"\(hintOrNames(for: key.text, in: known))",
            at: key.start)
        } else if key.text == "key", let token = field.value.string {
          do throws(TideError) { _ = try Key(token.text) } catch {
            report(error.code, error.message, at: offset(0, in: token))
          }
        } else if key.text == "items" {
          check(menuItems: field.value)
        } else if key.text == "command" {
          check(handler: field.value)
        }
      }
    }
  }

  /// Checks the names of styles that a function returns.
  func check(styles function: LuaExpression?) {
    guard let body = function?.functionBody else { return }
    for result in body.results.compactMap(\.first) { check(styleResult: result) }
  }

  private func check(styleResult value: LuaExpression) {
    switch value.kind {
    case .string: check(style: value)
    case .table(let fields): check(rowStyle: value, fields)
    case .name(_, let local?):
      if !local.isReassigned, let table = local.value, let fields = table.fields {
        check(rowStyle: table, fields)
      }
    case .parenthesized(let inner): check(styleResult: inner)
    case .operation(let parts, let signs) where signs.contains("and") || signs.contains("or"):
      // The left side of a comparison is not a result.
      for (index, part) in parts.enumerated() where part.string != nil {
        let left = index > 0 ? signs[index - 1] : "or"
        let right = index < signs.count ? signs[index] : "or"
        if ["and", "or"].contains(left), ["and", "or"].contains(right) { check(style: part) }
      }
    default: break
    }
  }

  /// Checks the table that a `rowStyle` returns.
  private func check(rowStyle table: LuaExpression, _ fields: [LuaField]) {
    let known = StyleDefinition.rowNames
    if !fields.isSequence || fields.isEmpty {
      mention(fieldAtCaretIn: table, .options(of: "rowStyle", known))
    }
    for field in fields {
      guard let key = field.name else {
        if field.isElement { check(style: field.value) }
        continue
      }
      mention(key.text, at: key.start, .options(of: "rowStyle", known))
      switch key.text {
      case "style": check(style: field.value)
      case "textColor", "backgroundColor":
        guard let text = field.value.string else { break }
        do throws(TideError) { _ = try Color(text.text) } catch {
          report(error.code, error.message, at: text.contentStart ?? text.range.lowerBound)
        }
      case _ where known.contains(key.text): break
      default:
        report(
          .unknownProperty,
          "the table of a rowStyle has no \"\(key.text)\"\(hintOrNames(for: key.text, in: known))",
          at: key.start)
      }
    }
  }

  func check(style value: LuaExpression) {
    if value.functionBody != nil { return check(styles: value) }
    if let text = value.string {
      mention(words: text, .styles)
      for word in text.text.split(separator: " ") { check(style: String(word), in: text) }
    }
    for field in value.fields ?? [] {
      if let key = field.name {
        report(
          .wrongType,
          "style is a text with names, or a list of them; \"\(key.text)\" is a field's name",
          at: key.start)
      } else if let text = field.value.string {
        mention(text, .styles)
        check(style: text.text, in: text)
      }
    }
  }

  private func check(style name: String, in text: LuaToken) {
    let known = StyleName.allCases.map(\.rawValue) + app.styles.sorted()
    if known.contains(name) || app.mayBe(name, app.unknownStyles) { return }
    report(
      .badArgument, "there is no style \"\(name)\"\(hintOrNames(for: name, in: known))",
      at: text.range.lowerBound)
  }

  /// Checks `style.define("name", { … })`, and an entry of a theme.
  func check(styleDefinition table: LuaExpression?, of name: String, isState: Bool = false) {
    let known = StyleDefinition.properties + (isState ? [] : StyleDefinition.stateNames)
    mention(fieldAtCaretIn: table, .options(of: "style.define", known))
    for field in table?.fields ?? [] {
      guard let key = field.name else { continue }
      mention(key.text, at: key.start, .options(of: "style.define", known))
      guard known.contains(key.text) else {
        report(
          .unknownProperty,
          "the style \"\(name)\" has no property \"\(key.text)\"\(hintOrNames(for: key.text, in: known))",
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
    mention(theme, .themes)
    let module = "\(Runtime.themeFolder).\(theme.text)"
    if Theme.names.contains(theme.text)
      || index.file(ofModule: module, requiredBy: script) != nil
    {
      return
    }
    let own = index.homes(of: script).flatMap { home in
      let folder = SystemPath.joined(home, Runtime.themeFolder)
      return index.finder.scripts(in: folder).map {
        String($0.dropFirst(folder.utf8.count + 1).dropLast(".lua".count))
      }
    }
    let known = Theme.names + own
    report(
      .badArgument, "there is no theme \"\(theme.text)\"\(hintOrNames(for: theme.text, in: known))",
      at: theme.range.lowerBound)
  }
}
