import TideBindings
import TideViews
import TideScript

// Members after a dot or a colon.
extension ScriptChecker {
  /// Checks a property or method of a value whose type is known.
  ///
  /// - Parameter isTested: whether the script tests if a plain table has the member.
  func check(
    property name: String, of base: LuaExpression, at offset: Int, isMethod: Bool = false,
    isTested: Bool = false
  ) {
    guard let owner = inference.inferredType(of: base) else {
      return mention(name, at: offset, .unknownProperties)
    }
    mention(name, at: offset, .properties(of: owner, isMethod: isMethod))
    let what = isMethod ? "method" : "property"
    switch owner {
    case .model(let model):
      guard let shape = app.shapes[model], !shape.contains(name) else { return }
      report(missing: name, what, of: model, members(of: shape, isMethod), at: offset)
    case .object(let shape):
      if !shape.contains(name) {
        report(missing: name, what, of: "object", members(of: shape, isMethod), at: offset)
      }
    case .held(let shape):
      if !mayHave(name, shape, isMethod: isMethod) {
        report(missing: name, what, of: "object", members(of: shape, isMethod), at: offset)
      }
    case .view(let viewClass):
      guard let known = properties(ofView: viewClass) else { return }
      let methods = names.values.viewMethods
      if known.contains(name) || methods.contains(name) { break }
      report(
        missing: name, what, of: viewClass ?? "the view", isMethod ? [] : known.names,
        or: methods.sorted(), at: offset)
    case .list:
      if !names.values.list.contains(name) {
        let known = members(names.values.list, of: "List", isMethod)
        report(missing: name, what, of: "list", known, at: offset)
      }
    case .controller(let kind, _):
      guard let members = names.values.controllers[kind], !members.contains(name) else { return }
      let known = self.members(members, of: "controller.\(kind)", isMethod)
      report(missing: name, what, of: "controller.\(kind)", known, at: offset)
    case .userdata(let kind):
      guard let members = names.values.userdata[kind], !members.contains(name) else { return }
      report(missing: name, what, of: kind.withArticle, members, at: offset)
    case .store:
      let members = names.values.store
      guard !members.contains(name) else { return }
      report(missing: name, what, of: "a database", members, at: offset)
    case .text where !isMethod:
      if isTested { return }
      guard let members = names.members["string"], !members.contains(name),
        !app.adds(name, to: "string"), !app.globals.contains("string")
      else { return }
      report(
        .unknownProperty, "\(text(of: base)) is a string, which has no property \"\(name)\"",
        at: offset, .warning)
    case .text:
      guard isMethod, let members = names.members["string"], !members.contains(name),
        !app.adds(name, to: "string"), !app.globals.contains("string")
      else { return }
      report(
        .unknownMember,
        "a string has no method \"\(name)\"\(hintOrNames(for: name, in: members))",
        at: offset)
    case .table(let shape, let table):
      if shape.contains(name) || app.tables.assignedNames.contains(name) || app.makesGlobals {
        return
      }
      if isTested, hint(for: name, in: shape.names).isEmpty { return }
      report(
        .unknownMember, "\(table) has no \"\(name)\"\(hintOrNames(for: name, in: shape.names))",
        at: offset
      )
    case .instance(let type):
      let members = names.types.members(of: type)
      guard !members.isEmpty, !members.contains(name) else { return }
      let owner = type.split(separator: ".").last.map(String.init) ?? type
      report(
        missing: name, what, of: owner.withArticle, self.members(members, of: type, isMethod),
        at: offset)
    case .constructor(let shape):
      if shape.contains(name) || app.assignedMembers[name] != nil { return }
      let makes = ["new", "create", "make"].contains(name) && !shape.isOpen
      let hint =
        makes
        ? "; a class is called: \(text(of: base)) { … }" : hint(for: name, in: shape.names)
      if hint.isEmpty { return }
      report(
        .unknownProperty, "\(text(of: base)) has no method \"\(name)\"\(hint)", at: offset)
    case .plain(let type):
      report(
        .unknownProperty,
        "\(text(of: base)) is \(type.withArticle), which has no \(what) \"\(name)\"", at: offset)
    case .array: break
    }
  }

  /// Checks a member whose name is a string in brackets: `fruit["name"]`.
  func check(key: LuaExpression, of base: LuaExpression, isTested: Bool = false) {
    guard mentions == nil, let token = key.string else { return }
    switch inference.inferredType(of: base) {
    case .model?, .object?, .list?, .view?, .controller?:
      check(property: token.text, of: base, at: offset(0, in: token), isTested: isTested)
    default: break
    }
  }

  /// The members of an object that a message names: the methods if a method is missing.
  private func members(of shape: LiteralShape, _ isMethod: Bool) -> Set<String> {
    if !isMethod { return shape.names }
    return shape.names.filter { name in
      shape.values(of: name).contains { inference.functionBody(of: $0) != nil }
    }
  }

  /// The same for a value of a class of the API.
  private func members(_ all: Set<String>, of type: String, _ isMethod: Bool) -> Set<String> {
    let methods = names.types.methods(of: type)
    return isMethod && !methods.isEmpty ? all.filter { methods[$0] != nil } : all
  }

  /// Whether an object in a property or a list may have a property. Another object may replace the
  /// known one, so every property that is declared or written anywhere is allowed.
  ///
  /// For a class or a method, names that are only mentioned in strings do not count.
  func mayHave(_ name: String, _ shape: LiteralShape, isMethod: Bool = false) -> Bool {
    shape.contains(name) || app.makesGlobals
      || !shape.isExact && index.mayDeclare(name, byText: !shape.isOfClass && !isMethod)
  }

  func report(
    missing name: String, _ what: String, of owner: String, _ known: Set<String>,
    or others: [String] = [], at offset: Int
  ) {
    report(
      .unknownProperty,
      "\(owner) has no \(what) \"\(name)\"\(hintOrNames(for: name, in: known, or: others))",
      at: offset)
  }
}
