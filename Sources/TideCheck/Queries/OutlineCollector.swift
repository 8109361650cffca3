import TideBindings
import TideScript

/// Collects the declarations of a script for its outline.
struct OutlineCollector {
  typealias Item = ScriptAnalysis.OutlineItem

  private(set) var items: [Item] = []

  init(_ analysis: ScriptAnalysis) {
    let inference = analysis.app.inference
    var found: [Item] = []
    SyntaxWalker(
      visit: { expression, _ in
        guard case .call(let callee, let arguments) = expression.kind else { return }
        if let item = Self.item(expression, callee, arguments, inference, analysis) {
          found.append(item)
        }
      },
      assign: { target, value, _ in
        guard case .member(let base, let name, let offset) = target.kind, let value,
          value.functionBody != nil, case .name(let owner, _) = base.kind
        else { return }
        found.append(
          Item(
            name: "\(owner).\(name)", kind: .function,
            range: target.range.lowerBound..<value.range.upperBound,
            selection: offset..<(offset + name.utf8.count)))
      },
      define: { target, body in
        let name = String(decoding: analysis.bytes[target.range], as: UTF8.self)
        found.append(
          Item(
            name: name, kind: .function, detail: Self.parameters(of: body),
            range: target.range.lowerBound..<max(target.range.upperBound, body.range.upperBound),
            selection: Self.lastName(of: target)))
      }
    ).walk(analysis.script.statements)
    found += Self.functions(in: analysis.script.statements)
    items = Self.nested(found)
  }

  /// The bytes of a string without its quotation marks.
  private static func content(of token: LuaToken) -> Range<Int> {
    token.contentStart.map { $0..<($0 + token.text.utf8.count) } ?? token.range
  }

  /// The bytes of a function's own name: those of `save` in `commands.save`.
  private static func lastName(of target: LuaExpression) -> Range<Int> {
    if case .member(_, let name, let offset) = target.kind {
      return offset..<(offset + name.utf8.count)
    }
    return target.range
  }

  private static func item(
    _ call: LuaExpression, _ callee: LuaExpression, _ arguments: [LuaExpression],
    _ inference: TypeInference, _ analysis: ScriptAnalysis
  ) -> Item? {
    if let declaration = inference.declaration(call), let fields = declaration.fields?.fields {
      return Item(
        name: declaration.name.text, kind: .model, detail: declaration.keyword, range: call.range,
        selection: content(of: declaration.name),
        children: fields.compactMap { field(of: $0, analysis) })
    }
    if let made = inference.viewClass(of: call) {
      guard let id = arguments.first?.fields?.first(where: \.isID)?.value.string else { return nil }
      return Item(
        name: id.text, kind: .view, detail: "view.\(made.name)", range: call.range,
        selection: content(of: id))
    }
    guard let name = arguments.first?.string else { return nil }
    switch inference.function(callee) ?? inference.path(of: callee) {
    case "transformer":
      return Item(
        name: name.text, kind: .transformer, range: call.range, selection: content(of: name))
    case "view.component":
      return Item(
        name: name.text, kind: .component, range: call.range, selection: content(of: name))
    case "describe", "it", "test", "pending", "spec", "context":
      guard analysis.script.isSpec else { return nil }
      return Item(name: name.text, kind: .test, range: call.range, selection: content(of: name))
    default: return nil
    }
  }

  private static func field(of field: LuaField, _ analysis: ScriptAnalysis) -> Item? {
    guard let name = field.name else { return nil }
    let end = max(field.value.range.upperBound, name.start + name.text.utf8.count)
    return Item(
      name: name.text, kind: field.value.functionBody == nil ? .property : .function,
      detail: analysis.describer.text(ofDeclared: field.value), range: name.start..<end,
      selection: name.start..<min(end, name.start + name.text.utf8.count))
  }

  private static func parameters(of body: LuaFunctionBody) -> String {
    "(\(body.parameters.map(\.name).joined(separator: ", ")))"
  }

  /// The local functions of the script's main body, and the variables that hold functions.
  private static func functions(in statements: [LuaStatement]) -> [Item] {
    statements.flatMap { statement -> [Item] in
      switch statement {
      case .localFunction(let local, let body):
        [item(local, body.range.upperBound, parameters(of: body))]
      case .local(let locals, let values):
        zip(locals, values).compactMap { local, value in
          value.functionBody.map { item(local, value.range.upperBound, parameters(of: $0)) }
        }
      default: []
      }
    }
  }

  private static func item(_ local: LuaLocal, _ end: Int, _ detail: String) -> Item {
    let name = local.start..<(local.start + local.name.utf8.count)
    return Item(
      name: local.name, kind: .function, detail: detail,
      range: local.start..<max(end, name.upperBound), selection: name)
  }

  /// Nests each item in the one that contains it.
  private static func nested(_ items: [Item]) -> [Item] {
    let sorted = items.sorted {
      ($0.range.lowerBound, $1.range.upperBound) < ($1.range.lowerBound, $0.range.upperBound)
    }
    var rest = sorted[...]
    return take(&rest, within: 0..<Int.max)
  }

  private static func take(_ rest: inout ArraySlice<Item>, within range: Range<Int>) -> [Item] {
    var taken: [Item] = []
    while var item = rest.first, item.range.upperBound <= range.upperBound,
      item.range.lowerBound >= range.lowerBound
    {
      rest.removeFirst()
      item.children += take(&rest, within: item.range)
      taken.append(item)
    }
    return taken
  }
}
