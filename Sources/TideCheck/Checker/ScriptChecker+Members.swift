import TideBindings
import TideViews
import TideScript

// What stands after a dot or a colon.
extension ScriptChecker {
  /// A property or method of what the text tells enough of.
  func check(property name: String, of base: LuaExpression, at offset: Int, isMethod: Bool = false)
  {
    guard let owner = inference.inferredType(of: base) else { return }
    let what = isMethod ? "method" : "property"
    switch owner {
    case .model(let model):
      guard let shape = app.shapes[model], !shape.contains(name) else { return }
      report(missing: name, what, of: model, shape.names, at: offset)
    case .object(let shape):
      if !shape.contains(name) {
        report(missing: name, what, of: "object", shape.names, at: offset)
      }
    case .held(let shape):
      if !mayHave(name, shape) {
        report(missing: name, what, of: "object", shape.names, at: offset)
      }
    case .view(let viewClass):
      guard let known = properties(ofView: viewClass) else { return }
      let methods = names.values.viewMethods
      if known.contains(name) || methods.contains(name) { break }
      report(
        missing: name, what, of: viewClass ?? "the view", known.names, or: methods.sorted(),
        at: offset)
    case .list:
      if !names.values.list.contains(name) {
        report(missing: name, what, of: "list", names.values.list, at: offset)
      }
    case .controller(let kind):
      guard let members = names.values.controllers[kind], !members.contains(name) else { return }
      report(missing: name, what, of: "controller.\(kind)", members, at: offset)
    case .userdata(let kind):
      guard let members = names.values.userdata[kind], !members.contains(name) else { return }
      report(missing: name, what, of: kind.withArticle, members, at: offset)
    case .store:
      let members = names.values.store
      guard !members.contains(name) else { return }
      report(missing: name, what, of: "a database", members, at: offset)
    case .text:
      guard isMethod, let members = names.members["string"], !members.contains(name),
        !app.adds(name, to: "string"), !app.globals.contains("string")
      else { return }
      report(
        .unknownMember,
        "a string has no method \"\(name)\"\(hint(for: name, in: members))",
        at: offset)
    case .plain, .constructor: break
    }
  }

  /// Whether an object in a property or a list may have a property: another one may take its place,
  /// but none whose properties are nowhere written.
  func mayHave(_ name: String, _ shape: LiteralShape) -> Bool {
    shape.contains(name) || app.writtenNames.contains(name) || app.makesGlobals
  }

  func report(
    missing name: String, _ what: String, of owner: String, _ known: Set<String>,
    or others: [String] = [], at offset: Int
  ) {
    report(
      .unknownProperty,
      "\(owner) has no \(what) \"\(name)\"\(hint(for: name, in: known, or: others))", at: offset)
  }

  // MARK: self

  /// Tells the parameter `self` of an object's functions what it is.
  func noteSelf(of call: LuaExpression, _ callee: LuaExpression) {
    guard case .call(_, let arguments) = call.kind else { return }
    if let declaration = inference.declaration(call) {
      note(.model(declaration.name.text), asSelfIn: declaration.fields?.fields)
    } else if case .constructor(let shape)? = inference.inferredType(of: call) {
      // Classes that inherit from it may have more.
      note(.held(shape), asSelfIn: arguments.first?.fields)
    } else if inference.function(callee) == "object", let table = arguments.first {
      note(.object(inference.literalShapes.shape(of: table)), asSelfIn: table.fields)
    } else if inference.function(callee) == "view.component",
      let name = arguments.first?.string?.text,
      arguments.count > 1, let options = arguments[1].fields
    {
      for option in options {
        switch option.name?.text {
        case "view": note(.view(name), asSelfIn: [option])
        case "properties": note(.view(name), asSelfIn: option.value.fields)
        default: break
        }
      }
    }
  }

  private func note(_ type: InferredType, asSelfIn fields: [LuaField]?) {
    for field in fields ?? [] {
      for body in functions(of: field.value) {
        guard let first = body.parameters.first, first.name == "self" else { continue }
        inference.selfTypes[first] = type
      }
    }
  }

  /// The functions that a property is declared with.
  private func functions(of value: LuaExpression) -> [LuaFunctionBody] {
    if let body = value.functionBody { return [body] }
    guard case .call(let callee, let arguments) = value.kind else { return [] }
    switch inference.function(callee) {
    case "computed": return arguments.compactMap(\.functionBody)
    case "property":
      return arguments.first?.fields?.filter { $0.name?.text == "validate" }
        .compactMap(\.value.functionBody) ?? []
    default: return []
    }
  }
}
