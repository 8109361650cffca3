import TideBindings
import TideScript
import TideViews

/// Describes symbols: their types and signatures, and their documentation from the catalogue or
/// from a comment in the script.
struct Describer {
  private let app: AppIndex
  private let names: KnownNames
  private let inference: TypeInference

  init(_ app: AppIndex, _ names: KnownNames) {
    self.app = app
    self.names = names
    inference = app.inference
  }

  static let viewTables = [
    "bindTo":
      "What the view's properties are bound to, by property: a path, or a table of options.",
    "on": "What handles the view's events, by event.",
    "keys": "What keys do while the view or one inside it has the focus.",
  ]

  static let arrows: [Arrow: String] = [
    .right: "The right end follows the left one.",
    .left: "The left end follows the right one, through the transformers' reverses.",
    .both: "Each end follows the other.",
    .rightLater: "The right end follows the left one, from the next change on.",
    .leftLater: "The left end follows the right one, from the next change on.",
    .bothLater: "Each end follows the other, from the next change on.",
    .rightForward: "The right end follows the left one, through the transformers as they are.",
    .leftForward: "The left end follows the right one, through the transformers as they are.",
    .rightForwardLater:
      "The right end follows the left one, through the transformers as they are, from the next change on.",
    .leftForwardLater:
      "The left end follows the right one, through the transformers as they are, from the next change on.",
  ]

  // MARK: Names of the app

  func model(_ name: String) -> Candidate {
    let shape = app.symbols.shapes[name]
    let count = shape?.names.count ?? 0
    var candidate = Candidate(
      name: name, kind: .model, detail: count == 1 ? "one property" : "\(count) properties")
    if let found = app.modelDeclarations[name] {
      candidate.documentation = comment(above: found.offset, in: found.script)
    }
    return candidate
  }

  func id(_ name: String) -> Candidate {
    let classes = app.symbols.ids[name]?.compactMap(\.self).sorted() ?? []
    return Candidate(
      name: name, kind: .view, detail: classes.map { "view.\($0)" }.joined(separator: " or "))
  }

  func viewClass(_ name: String) -> Candidate {
    guard let viewClass = names.viewClasses[name] else {
      let events = app.symbols.components[name]?.events.sorted() ?? []
      return Candidate(
        name: name, kind: .viewClass, detail: "a component of this app",
        documentation: events.isEmpty ? "" : "Events: \(events.joined(separator: ", "))")
    }
    let parent = viewClass.superclass.map { "inherits from view.\($0.name)" } ?? ""
    let events = viewClass.events.sorted().joined(separator: ", ")
    return Candidate(
      name: name, kind: .viewClass, detail: parent, documentation: "Events: \(events)")
  }

  /// A property that scripts declare.
  func property(_ name: String, of shape: LiteralShape) -> Candidate {
    let values = shape.values(of: name)
    let isFunction = values.contains { $0.functionBody != nil }
    var candidate = Candidate(name: name, kind: isFunction ? .method : .property)
    if let type = shape.types[name] { candidate.detail = text(of: type) }
    if let value = values.first {
      candidate.detail = text(ofDeclared: value)
      candidate.documentation = comment(beside: value)
    }
    return candidate
  }

  /// The type of a declared value, with the value itself if it is short.
  func text(ofDeclared value: LuaExpression) -> String {
    if let body = value.functionBody { return signature(of: body) }
    if case .call(let callee, _) = value.kind, inference.function(callee) == "computed" {
      let type = computedType(of: value)
      return type.isEmpty ? "computed" : "\(type), computed"
    }
    let type = inference.inferredType(ofDefault: value, TypeInference.budget).map { text(of: $0) }
    switch value.kind {
    case .constant(let literal):
      return [type, "= \(literal)"].compactMap(\.self).joined(separator: " ")
    case .string(let token):
      return "string = \(TransformCall.excerpt(token.text))"
    default: return type ?? ""
    }
  }

  private func computedType(of value: LuaExpression) -> String {
    guard case .call(_, let arguments) = value.kind,
      let body = arguments.first.flatMap({ inference.functionBody(of: $0) })
    else { return "" }
    if let type = inference.result(of: body, TypeInference.budget) { return text(of: type) }
    let type = DeclaredTypes.result(of: body)
    return type == "any" ? "" : type
  }

  /// The signature of a function that a script declares.
  func signature(of body: LuaFunctionBody) -> String {
    var parameters = body.parameters.map(\.name)
    if parameters.first == "self" { parameters.removeFirst() }
    if body.takesMore { parameters.append("...") }
    let result = inference.result(of: body, TypeInference.budget).map { ": \(text(of: $0))" } ?? ""
    return "function(\(parameters.joined(separator: ", ")))\(result)"
  }

  /// A type in the terms that authors of scripts use.
  func text(of type: InferredType) -> String {
    switch type {
    case .model(let name): "model \"\(name)\""
    case .object(let shape), .held(let shape): "object \(Self.excerpt(of: shape))"
    case .list(let rows): rows.map { "list of \(Self.excerpt(of: $0))" } ?? "list"
    case .array(let element): "table of \(text(of: element))"
    case .table(_, let name): name.hasPrefix("the module") ? String(name.dropFirst(4)) : "table"
    case .view(let name): name.map { "view.\($0)" } ?? "view"
    case .constructor(let shape): "class \(Self.excerpt(of: shape))"
    case .controller(let kind, _): "controller.\(kind)"
    case .instance(let name): name
    case .userdata(let kind): kind
    case .store: "database"
    case .text: "string"
    case .plain(let name): name
    }
  }

  private static func excerpt(of shape: LiteralShape) -> String {
    let names = shape.names.sorted()
    let shown = names.prefix(4).joined(separator: ", ")
    return "{ \(shown)\(names.count > 4 || shape.isOpen ? ", …" : "") }"
  }

  /// The comment beside the key that declares a value.
  private func comment(beside value: LuaExpression) -> String {
    for script in app.scripts {
      guard let start = script.keyOffset(of: value) else { continue }
      let comments = SourceComments(script.source)
      let lines =
        value.functionBody == nil
        ? comments.beside(start, value.range.upperBound) : comments.above(start)
      return lines.joined(separator: "\n")
    }
    return ""
  }

  /// The comment above a declaration.
  func comment(above offset: Int, in script: Script) -> String {
    SourceComments(script.source).above(offset).joined(separator: "\n")
  }

  // MARK: Names of the API

  func library(_ path: String, as name: String? = nil) -> Candidate {
    let entry = APICatalogue.entries.first { $0.name == path }
    let isFunction = entry?.isFunction ?? (names.types.functions[path] != nil)
    return Candidate(
      name: name ?? path, kind: isFunction ? .function : .variable,
      detail: entry?.usage ?? signatures(ofFunction: path).first?.text ?? "",
      documentation: entry?.summary ?? names.types.functions[path]?.first?.summary ?? "")
  }

  func viewProperty(_ property: PropertyDescription) -> Candidate {
    var type = property.cases.map { $0.joined(separator: " | ") } ?? property.type.name
    if property.isNullable { type += "?" }
    return Candidate(
      name: property.name, kind: .property, detail: type,
      documentation: property.isReadOnly ? "Read only." : "")
  }

  func viewProperty(_ name: String, of viewClass: String) -> Candidate? {
    let found = names.viewClasses[viewClass] ?? (viewClass == "view" ? ViewClass.view : nil)
    guard let shape = found?.shape, let index = shape.index(of: name) else { return nil }
    return viewProperty(shape.propertiesByIndex[index])
  }

  func member(_ name: String, of type: String) -> Candidate {
    let known = names.types.classes[type]
    if let method = known?.methods[name] {
      let signature = SignatureText(name, method)
      return Candidate(
        name: name, kind: .method, detail: signature.text, documentation: method.summary)
    }
    return Candidate(
      name: name, kind: .property, detail: known?.fields[name] ?? "",
      documentation: known?.summaries[name] ?? "")
  }

  func option(_ name: String, of function: String) -> Candidate {
    let entry = names.types.functions[function]?.lazy
      .flatMap(\.parameters).compactMap { names.types.className(of: $0.type) }
      .first { names.types.fields(of: $0)[name] != nil }
    let type = entry.flatMap { names.types.fields(of: $0)[name] } ?? ""
    let summary = entry.flatMap { names.types.classes[$0]?.summaries[name] } ?? ""
    return Candidate(name: name, kind: .option, detail: type, documentation: summary)
  }

  func transformer(usage: String) -> Candidate {
    let name = usage.prefix { $0 != "(" && $0 != " " }
    return Candidate(name: String(name), kind: .transformer, detail: usage)
  }

  func transformer(_ name: String) -> Candidate? {
    if let isReversible = app.symbols.transformers[name] {
      var candidate = Candidate(
        name: name, kind: .transformer,
        detail: "transformer \"\(name)\"\(isReversible ? "  -- reversible" : "")")
      for script in app.scripts {
        guard let place = script.symbols.transformerPlaces.first(where: { $0.name == name }) else {
          continue
        }
        candidate.documentation = comment(above: place.offset, in: script)
      }
      return candidate
    }
    return TransformerRegistry.builtInUsages.lazy.map { transformer(usage: $0) }
      .first { $0.name == name }
  }

  // MARK: Signatures

  func signatures(ofFunction path: String) -> [SignatureText] {
    (names.types.functions[path] ?? []).map { SignatureText(path, $0) }
  }
}
