import TideBindings
import TideScript
import TideViews

// Values that an option of a view gets only when the view is made.
extension ScriptChecker {
  /// A value that is read when a view is made, and that may change later.
  private struct MomentaryRead {
    /// How the script writes it.
    let text: String
    let offset: Int
    /// Its path from a model, for a binding.
    var path: String?
    /// The expression that the path stands for.
    let expression: LuaExpression

    /// Whether an expression computes something from the value.
    func isPart(of value: LuaExpression) -> Bool {
      if case .parenthesized(let inner) = value.kind { return isPart(of: inner) }
      return value !== expression
    }
  }

  /// Reports a model's property, the length of a list or a controller's selection that is read
  /// while the view is created: the view would keep the value of that moment. Lists and objects
  /// report their own changes.
  func check(readOnce value: LuaExpression, _ key: String, of name: String) {
    guard keepsValue(key, of: name), let read = momentaryRead(in: value) else { return }
    // A binding to the path would show the value alone, without the rest of the expression.
    let path = read.isPart(of: value) ? nil : read.path
    let binding = path.map { ", or bindTo = { \(key) = \"\($0)\" }" } ?? ""
    report(
      .readOnce,
      "\(name).\(key) gets what \(read.text) holds now, and does not follow it: write a function, "
        + "\(key) = function() return \(shown(value)) end\(binding)", at: read.offset, .warning)
  }

  /// The text of an expression, if it is short.
  private func shown(_ value: LuaExpression) -> String {
    let text = text(of: value)
    return text == "value" ? "…" : text
  }

  /// Whether a view keeps a plain value as it is given.
  private func keepsValue(_ key: String, of name: String) -> Bool {
    guard let shape = names.viewClasses[name]?.shape, let index = shape.index(of: key) else {
      return false
    }
    let property = shape.propertiesByIndex[index]
    return property.name == "style"
      || [.string, .number, .integer, .boolean].contains(property.type)
  }

  /// The first value that an expression reads immediately: alone, as an operand, or converted to a
  /// string.
  private func momentaryRead(in value: LuaExpression) -> MomentaryRead? {
    switch value.kind {
    case .parenthesized(let inner): return momentaryRead(in: inner)
    case .unary("#", let list): return length(of: list, value)
    case .unary(_, let inner): return momentaryRead(in: inner)
    case .operation(let parts, _): return parts.lazy.compactMap(momentaryRead).first
    case .call(let callee, let arguments):
      guard ["tostring", "string.format"].contains(inference.path(of: callee) ?? "") else {
        return nil
      }
      return arguments.lazy.compactMap(momentaryRead).first
    case .method(let base, _, _, let arguments):
      guard case .text? = inference.inferredType(of: base) else { return nil }
      return ([base] + arguments).lazy.compactMap(momentaryRead).first
    case .member(let base, let property, _):
      if case .model(let model)? = inference.inferredType(of: base) {
        return read(property, of: model, value)
      }
      return isSelection(base)
        ? MomentaryRead(text: text(of: value), offset: value.range.lowerBound, expression: value)
        : nil
    default: return nil
    }
  }

  private func read(
    _ property: String, of model: String, _ value: LuaExpression
  ) -> MomentaryRead? {
    guard let shape = app.shapes[model], shape.contains(property),
      shape.value(of: property)?.functionBody == nil
    else { return nil }
    let path = "\(model).\(property)"
    return MomentaryRead(
      text: path, offset: value.range.lowerBound, path: path, expression: value)
  }

  /// The length of a model's list, or of one in a variable.
  private func length(of list: LuaExpression, _ length: LuaExpression) -> MomentaryRead? {
    guard case .list? = inference.inferredType(of: list) else { return nil }
    switch list.kind {
    case .parenthesized(let inner): return self.length(of: inner, length)
    case .name(_, let local?):
      guard case .call(let callee, _)? = local.value?.kind, inference.function(callee) == "list"
      else { return nil }
      return MomentaryRead(
        text: "#\(local.name)", offset: list.range.lowerBound, expression: length)
    case .member(let base, let property, _):
      guard case .model(let model)? = inference.inferredType(of: base),
        let found = read(property, of: model, list)
      else { return nil }
      return MomentaryRead(
        text: "#\(found.text)", offset: found.offset, path: "\(found.text).@count",
        expression: length)
    default: return nil
    }
  }

  /// Whether an expression is what a controller has selected.
  private func isSelection(_ expression: LuaExpression) -> Bool {
    guard case .member(let base, let name, _) = expression.kind,
      ["selection", "selectedObject"].contains(name),
      case .controller? = inference.inferredType(of: base)
    else { return false }
    return true
  }

  // MARK: Cells

  /// Reports `text = fruit.name` in the views that a cell's function makes: the cell is made for
  /// one row, and shows others later.
  func check(readOnceInCell cell: LuaExpression?) {
    guard let body = cell?.functionBody, let row = body.parameters.first else { return }
    for view in body.results.compactMap(\.first) { check(readOnceIn: view, showing: row) }
  }

  private func check(readOnceIn view: LuaExpression, showing row: LuaLocal) {
    guard let made = inference.viewClass(of: view), case .call(_, let arguments) = view.kind else {
      return
    }
    for field in arguments.first?.fields ?? [] {
      if field.isElement { check(readOnceIn: field.value, showing: row) }
      guard let key = field.name?.text, keepsValue(key, of: made.name),
        let (property, read) = rowProperty(readIn: field.value, row)
      else { continue }
      let offset = read.range.lowerBound
      let binding = binding(for: field.value, of: row, property, read)
      report(
        .readOnce,
        "\(made.name).\(key) gets what \(row.name).\(property) holds when the cell is made, and the "
          + "cell shows other rows later: write bindTo = { \(key) = \(binding) }",
        at: offset, .warning)
    }
  }

  /// The binding that computes an expression for whichever row a cell shows.
  private func binding(
    for value: LuaExpression, of row: LuaLocal, _ property: String, _ read: LuaExpression
  ) -> String {
    let path = "\"dataObject.\(property)\""
    let whole = MomentaryRead(text: property, offset: read.range.lowerBound, expression: read)
    if !whole.isPart(of: value) { return path }
    // A transform of one property cannot read the others. One of the row follows all that it reads.
    if uses(of: row, in: value) > 1 {
      return "{ path = \"dataObject\", transform = function(\(row.name)) return "
        + "\(shown(value)) end }"
    }
    return "{ path = \(path), transform = function(\(property)) return "
      + "\(shown(value, with: property, for: read)) end }"
  }

  private func uses(of row: LuaLocal, in value: LuaExpression) -> Int {
    var count = 0
    SyntaxWalker(visit: { expression, _ in
      if case .name(_, let local?) = expression.kind, local === row { count += 1 }
    }).walk(value)
    return count
  }

  /// The text of an expression with a name in place of a part; `…` if it is long.
  private func shown(
    _ value: LuaExpression, with name: String, for part: LuaExpression
  ) -> String {
    let before = source.bytes[value.range.lowerBound..<part.range.lowerBound]
    let after = source.bytes[part.range.upperBound..<value.range.upperBound]
    let text =
      String(decoding: before, as: UTF8.self) + name + String(decoding: after, as: UTF8.self)
    return shown(value) == "…" ? "…" : text
  }

  private func rowProperty(
    readIn value: LuaExpression, _ row: LuaLocal
  ) -> (name: String, read: LuaExpression)? {
    switch value.kind {
    case .parenthesized(let inner): return rowProperty(readIn: inner, row)
    case .operation(let parts, _):
      return parts.lazy.compactMap { self.rowProperty(readIn: $0, row) }.first
    case .member(let base, let name, _):
      guard case .name(_, let local?) = base.kind, local === row else { return nil }
      return (name, value)
    default: return nil
    }
  }
}
