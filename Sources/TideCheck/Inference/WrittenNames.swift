import TideBindings
import TideScript
import TideViews

/// The names that the script contains and that may therefore be properties.
///
/// Some words do not count: the keys of view tables and of options belong to the API, and a wrong
/// path must not make itself valid.
struct WrittenNames {
  private(set) var names: Set<String> = []
  /// The names that are keys of tables.
  private(set) var keys: Set<String> = []
  private let inference: TypeInference
  private let isView: (String) -> Bool
  /// Tables whose keys are not properties of objects.
  private var skippedTables: Set<ObjectIdentifier> = []
  /// Strings that name something else, by their offset.
  private var skippedTexts: Set<Int> = []

  /// - Parameter isView: whether a view class is one of the API's own.
  init(_ inference: TypeInference, isView: @escaping (String) -> Bool) {
    self.inference = inference
    self.isView = isView
  }

  /// Processes the next expression. Outer expressions come first.
  mutating func take(_ expression: LuaExpression) {
    switch expression.kind {
    case .string(let token): take(token)
    case .table(let fields):
      if skippedTables.contains(ObjectIdentifier(expression)) || isMenuItem(fields) { return }
      for field in fields {
        guard let name = field.name?.text else { continue }
        names.insert(name)
        keys.insert(name)
        // Columns may be declared outside of their table view.
        if ["path", "key", "sort"].contains(name), isColumn(fields) { skip(text: field.value) }
      }
    case .call(let callee, let arguments): take(call: expression, callee, arguments)
    case .method(_, let name, _, let arguments):
      if name == "find" { skip(text: arguments.first) }
      skipNames(in: arguments, APITypes.shared.texts.methods[name])
    default: break
    }
  }

  private mutating func take(_ token: LuaToken) {
    let text = token.text
    if skippedTexts.contains(token.range.lowerBound) { return }
    if text.utf8.count <= 64, text.utf8.allSatisfy(\.continuesLuaName) { names.insert(text) }
  }

  // MARK: Excluded words

  private mutating func skip(text expression: LuaExpression?) {
    if let token = expression?.string { skippedTexts.insert(token.range.lowerBound) }
  }

  private mutating func skip(keysOf expression: LuaExpression?) {
    if let expression, expression.fields != nil {
      skippedTables.insert(ObjectIdentifier(expression))
    }
  }

  private mutating func take(
    call: LuaExpression, _ callee: LuaExpression, _ arguments: [LuaExpression]
  ) {
    if let made = inference.viewClass(of: call) {
      if isView(made.name) { skip(view: arguments.first) }
      return
    }
    if case .call(let inner, _) = callee.kind, inference.function(inner) == "transformer" {
      return skip(keysOf: arguments.first)
    }
    guard let function = inference.function(callee) ?? inference.path(of: callee) else { return }
    switch function {
    case "bind":
      for source in arguments.first?.fields ?? [] { skip(text: source.value) }
      for argument in arguments.prefix(2) { skip(text: argument) }
    case "binding", "require", "model", "shared", "class", "trigger.notification",
      "notification.post", "notification.observe":
      skip(text: arguments.first)
    case _ where Self.specPaths.contains(where: { function.hasSuffix($0) }):
      skip(text: arguments.dropFirst().first)
    case "transformer", "style.define":
      skip(text: arguments.first)
      skip(keysOf: arguments.dropFirst().first)
    case _ where function.hasPrefix("controller."):
      skip(keysOf: arguments.first)
      skip(text: arguments.first?.fields?["name"])
    default: break
    }
    skipNames(in: arguments, APITypes.shared.functions[function])
    skipOptions(of: function, arguments)
  }

  /// The assertions of the test runner that take a path.
  private static let specPaths = [".property", ".bound", "_bound"]

  /// Excludes strings that are names according to the catalogue; these are checked separately.
  private mutating func skipNames(
    in arguments: [LuaExpression], _ signatures: [APITypes.Signature]?
  ) {
    for signature in signatures ?? [] {
      for (argument, parameter) in zip(arguments, signature.parameters) {
        skipNames(in: argument, as: parameter.type)
      }
    }
  }

  private mutating func skipNames(in value: LuaExpression, as type: String) {
    RoleReader(.shared).read(value, as: type) { finding in
      if case .name(let token, _) = finding { skippedTexts.insert(token.range.lowerBound) }
    }
  }

  /// Processes an assignment before its value: `people.sort = "name"`.
  mutating func take(assigned value: LuaExpression, to name: String) {
    for type in APITypes.shared.texts.fields[name] ?? [] { skipNames(in: value, as: type) }
  }

  /// Excludes the keys of options, as the catalogue describes them.
  private mutating func skipOptions(of function: String, _ arguments: [LuaExpression]) {
    guard arguments.contains(where: { $0.fields != nil }),
      let signatures = APITypes.shared.functions[function]
    else { return }
    for (index, argument) in arguments.enumerated() where argument.fields != nil {
      let isOptions = signatures.contains { signature in
        guard index < signature.parameters.count else { return false }
        let type = signature.parameters[index].type
        guard let name = APITypes.shared.className(of: type) else { return false }
        return APITypes.shared.isOptions(name)
      }
      if isOptions { skip(keysOf: argument) }
    }
  }

  private mutating func skip(view table: LuaExpression?) {
    guard let table, let fields = table.fields else { return }
    skip(keysOf: table)
    for field in fields where !field.isElement {
      skip(text: field.value)
      switch field.name?.text {
      case "bindTo":
        skip(keysOf: field.value)
        for binding in field.value.fields ?? [] {
          skip(text: binding.value)
          skip(keysOf: binding.value)
          let path = binding.value.fields?["path"]
          skip(text: path)
          for source in path?.fields ?? [] { skip(text: source.value) }
        }
      case "on", "padding", "margin", "keys":
        skip(keysOf: field.value)
        for inner in field.value.fields ?? [] { skip(keysOf: inner.value) }
      case "columns": skip(columns: field.value)
      default: break
      }
    }
  }

  private func isColumn(_ fields: [LuaField]) -> Bool {
    fields.allSatisfy { $0.name.map { TableColumn.names.contains($0.text) } ?? false }
  }

  private static let menuFields = Set(APITypes.shared.fields(of: "MenuItemFields").keys)

  private func isMenuItem(_ fields: [LuaField]) -> Bool {
    fields["title"] != nil && (fields["command"] != nil || fields["items"] != nil)
      && fields.allSatisfy { $0.name.map { Self.menuFields.contains($0.text) } ?? false }
  }

  private mutating func skip(columns value: LuaExpression, _ budget: Int = 4) {
    switch value.kind {
    case .table(let columns):
      for column in columns {
        skip(text: column.value)
        skip(keysOf: column.value)
        for name in ["path", "key", "sort", "align"] { skip(text: column.value.fields?[name]) }
      }
    default: break
    }
  }
}

// MARK: Properties that bindings write to
extension BindingExpression {
  /// The names of the properties that a binding writes to, in the form of `bind` or of a view's
  /// `bindTo`; nil if the string is not a binding.
  static func writtenNames(in text: String) -> Set<String>? {
    if let binding = try? parse(text) {
      let ends = [
        binding.arrow.goesRight ? binding.right : nil, binding.arrow.goesLeft ? binding.left : nil,
      ]
      return Set(ends.compactMap { $0?.lastName })
    }
    guard let binding = try? ViewExpression.parse(text) else { return nil }
    return Set([binding.arrow.goesLeft ? binding.path.lastName : nil].compactMap(\.self))
  }
}

extension Path {
  /// The property that the last step names.
  var lastName: String? {
    switch steps.last {
    case .property(let name)?, .element(let name, _)?: name
    default: nil
    }
  }
}
