import TideBindings
import TideViews
import TideScript

/// Checks one script for mistakes, knowing what the other scripts of its app declare.
///
/// It reports nothing if a name or a path is computed: false alarms would make the check useless.
final class ScriptChecker {
  let script: Script
  /// The script's text, in which a string may be completed; see `findMentions(completingAt:)`.
  var source: LuaSource
  let names: KnownNames
  /// What all scripts of the app declare.
  let app: SymbolTable
  /// The inferred types of the app, and the places of its views.
  let index: AppIndex
  let inference: TypeInference
  /// Built-in transformers, and substitutes for those of the app.
  let transformers: TransformerRegistry
  private(set) var problems: [Problem] = []
  private var reported: Set<Report> = []
  private var offsets: Set<Int> = []
  /// All variables, for hints.
  private var localNames: Set<String> = []
  private lazy var ownNames = localNames.union(app.globals).sorted()
  /// The variables that are declared, without globals that are assigned by accident.
  private(set) lazy var declaredNames = localNames.union(app.declaredGlobals)
  private(set) lazy var allNames = ownNames + names.globals.subtracting(ownNames).sorted()
  private(set) lazy var modelNames = app.shapes.keys.sorted()
  private(set) lazy var idNames = app.ids.keys.sorted()
  private(set) lazy var rootNames = modelNames + idNames
  private(set) lazy var viewClassNames = names.viewClasses.names + app.components.keys.sorted()
  private(set) lazy var eventNames = knownEvents()
  private(set) lazy var anyView = propertiesOfAnyView()
  private(set) lazy var namedFiles = findNamedFiles()
  /// The members for which unknown names are likely slips; see `check(unknownMember:)`.
  var membersMeant: [String: String?] = [:]
  /// How many names may still be compared with mistyped ones: hints for thousands of mistakes among
  /// thousands of names help nobody.
  var hintBudget = 250_000
  var lastHint: Hint?
  /// How globals are used, by their offsets.
  var nameUses: [Int: NameUse] = [:]
  /// The members, written with their owners, whose existence the script tests.
  private var testedMembers: Set<ArraySlice<UInt8>> = []
  /// The properties of view classes, cached.
  var viewShapes: [String: LiteralShape?] = [:]
  /// All variables by name, in the order of their declarations.
  private(set) var localsByName: [String: [LuaLocal]] = [:]
  /// The variables `self`, parameters and others.
  private var selves: [LuaLocal] = []
  private(set) lazy var classesByMethod = findClassesByMethod()
  /// Variables that hold `model "name"` without fields, and those that are called.
  private var unfinishedModels: [(local: LuaLocal, problem: Problem)] = []
  private var calledLocals: Set<ObjectIdentifier> = []
  /// The ids of views that are created once, in the script's main body.
  var ownIDs: [String: Int] = [:]
  var reportedIDs: Set<Int> = []
  private var reportedLine: (number: Int, text: [UInt8])?
  /// What the script does with the tables in its variables, and which parts of strings were found to
  /// be constants; see `isComposed`.
  private(set) lazy var tableUses = TableUses.find(in: script.statements, inference)
  var fixedParts: [ObjectIdentifier: FixedPart] = [:]
  /// What the script does with the elements of the tables in its variables.
  private(set) lazy var elementUses = ElementUses.find(in: script.statements, inference)
  /// The calls at the end of functions that were reported for returning nothing.
  var unreturnedCalls: Set<Int> = []
  /// The texts of the specs beside the app, once read.
  var specTexts: [[UInt8]]?
  var shows = 0
  /// The offsets of views that are created in the script's main body and not used.
  var untakenViews: [Int] = []
  /// Calls of assertions whose property is expected to be missing.
  var assertionsOfMissing: Set<ObjectIdentifier> = []
  /// The names that have been looked up; nil if they are not collected.
  var mentions: [Mention]?
  var mentioned: [Int: Int] = [:]
  /// The offset of the caret, if a text is to be completed.
  var caret: Int?

  /// - Parameter makesGlobals: whether the script may name any global.
  init(_ script: Script, names: KnownNames, of index: AppIndex, makesGlobals: Bool = false) {
    self.script = script
    source = script.source
    self.names = names
    self.index = index
    var app = index.symbols
    if makesGlobals { app.makesGlobals = true }
    self.app = app
    var inference = index.inference
    inference.types = names.types
    self.inference = inference
    transformers = TransformerRegistry()
    for (name, isReversible) in app.transformers {
      transformers.register(name) { (_) throws(TideError) in
        AnyTransformer(name, { $0 }, reverse: isReversible ? { $0 } : nil)
      }
    }
  }

  private struct Report: Hashable {
    let offset: Int
    let message: String
  }

  /// Finds all mistakes, in the order of the text.
  func check() -> [Problem] {
    SyntaxWalker(
      visit: { [self] expression, position in
        switch expression.kind {
        case .call(let callee, _):
          note(callee)
          if inference.function(callee) == "show" { shows += 1 }
        case .member where position.isProbe:
          testedMembers.insert(source.bytes[expression.range])
        default: break
        }
      },
      declare: { [self] local, _ in note(local) }, introduce: { [self] local in note(local) }
    ).walk(script.statements)
    SyntaxWalker(
      visit: { [self] expression, position in
        if !position.mayFail { check(expression, position) }
        if let body = expression.functionBody {
          checkLoops(body.block, mayFail: position.mayFail)
          checkVariables(of: body)
        }
      },
      assign: { [self] target, value, position in
        if !position.mayFail { check(target: target, value, position) }
      },
      declare: { [self] local, position in check(declared: local, position) },
      looksForFailure: true
    ).walk(script.statements)
    for (local, problem) in unfinishedModels
    where !calledLocals.contains(ObjectIdentifier(local)) {
      problems.append(problem)
    }
    for field in script.themeFields {
      if let name = field.name { check(styleDefinition: field.value, of: name.text) }
    }
    checkLoops(script.statements)
    checkVariables(script.statements)
    checkModelUse()
    checkUse()
    checkRequires()
    checkRepeatedModels()
    checkShown()
    return problems.sorted { left, right in
      let (first, second) = (left.error.location, right.error.location)
      return (first?.line ?? 0, first?.column ?? 0) < (second?.line ?? 0, second?.column ?? 0)
    }
  }

  private func note(_ callee: LuaExpression) {
    if case .name(_, let local?) = callee.kind { calledLocals.insert(ObjectIdentifier(local)) }
  }

  private func note(_ local: LuaLocal) {
    localNames.insert(local.name)
    localsByName[local.name, default: []].append(local)
    if local.name == "self" { selves.append(local) }
  }

  /// The variable `self` that is visible at an offset.
  func visibleSelf(at offset: Int) -> LuaLocal? {
    selves.filter { $0.start <= offset && offset < $0.scopeEnd }.max { $0.start < $1.start }
  }

  // MARK: Reporting

  /// - Parameter isSure: whether the fix that the message advises needs no review.
  func report(
    _ code: TideError.Code, _ message: String, at offset: Int,
    _ severity: Diagnostic.Severity = .error, isSure: Bool = true
  ) {
    if mentions != nil { return }
    // Code that two modules share, such as columns, may be checked twice.
    guard reported.insert(Report(offset: offset, message: message)).inserted else { return }
    offsets.insert(offset)
    problems.append(problem(code, message, at: offset, severity, isSure: isSure))
  }

  /// Whether a problem has been reported at an offset.
  func hasProblem(at offset: Int) -> Bool { offsets.contains(offset) }

  private func problem(
    _ code: TideError.Code, _ message: String, at offset: Int, _ severity: Diagnostic.Severity,
    isSure: Bool = true
  ) -> Problem {
    let location = script.source.location(of: offset)
    // Problems of one line share its text, which may be long.
    if reportedLine?.number != location.line {
      reportedLine = script.source.lines.text(of: location.line).map { (location.line, $0) }
    }
    let isClear = lastHint.map { !message.hasSuffix($0.text) || $0.isClear } ?? true
    return Problem(
      severity, TideError(code, message, location: location), line: reportedLine?.text,
      isClear: isClear && isSure)
  }

  func report(unfinished name: LuaToken, _ keyword: String, _ position: SyntaxWalker.Position) {
    if mentions != nil { return }
    let problem = problem(
      .syntax,
      "model \"\(name.text)\" is declared without its fields; write \(keyword) \"\(name.text)\" {…}",
      at: name.range.lowerBound, .error)
    if position.isStatement {
      problems.append(problem)
    } else if let local = position.local {
      unfinishedModels.append((local, problem))
    }
  }

  // MARK: Expressions

  func check(_ expression: LuaExpression, _ position: SyntaxWalker.Position) {
    noteUse(expression)
    if position.isStatement { check(unusedResultOf: expression) }
    switch expression.kind {
    case .name(let name, let local?):
      mention(name, at: expression.range.lowerBound, .local(local))
    case .name(let name, nil):
      mention(name, at: expression.range.lowerBound, .variables)
      check(global: name, expression.range.lowerBound)
    case .member(let base, let name, let offset):
      check(
        member: name, of: base, at: offset, position,
        isTested: position.isProbe || testedMembers.contains(source.bytes[expression.range]))
    case .method(let base, let name, let offset, let arguments):
      check(property: name, of: base, at: offset, isMethod: true)
      check(method: name, of: base, arguments)
      if !hasProblem(at: offset) { check(method: name, at: offset, of: base, taking: arguments) }
      switch inference.inferredType(of: base) {
      case .text?: check(stringMethod: name, at: offset, of: base, arguments)
      case nil: check(unknownMethod: name, at: offset)
      default: break
      }
      check(dictMethod: name, at: offset, of: base)
      check(member: name, ofElements: base, at: offset, isMethod: true)
    case .call(let callee, let arguments):
      check(call: expression, callee, arguments, position)
      if !isOfAPI(callee) { check(calling: callee, arguments) }
      check(libraryCall: callee, arguments)
    case .table(let fields):
      check(keysOf: fields)
      check(command: fields)
    case .index(let base, let key):
      mention(key: key, of: base)
      check(index: key, of: base)
      check(index: key, ofElements: base, position)
      check(key: key, of: base, isTested: position.isProbe)
    case .unary("#", let operand): check(lengthOf: operand)
    case .unary("-", let operand): check(negated: operand)
    case .unary("not", let operand): check(negation: expression, of: operand)
    case .operation(let operands, let signs):
      check(comparisons: operands, signs)
      check(nilTests: operands, signs)
      check(precedenceOf: operands, signs)
      check(operands: operands, signs)
      check(functionsIn: operands, signs)
    default: break
    }
  }

  /// Whether a function belongs to the API, not to a model, a view or a script.
  private func isOfAPI(_ callee: LuaExpression) -> Bool {
    guard let path = inference.function(callee) else { return false }
    return !path.hasPrefix("models.") && !path.hasPrefix("views.")
  }

  private func check(global name: String, _ offset: Int) {
    if app.makesGlobals || name == "_ENV" { return }
    if names.globals.contains(name) { return }
    if app.globals.contains(name) {
      guard isMisspelt(name) else { return }
      return report(
        .accidentalGlobal, "nothing declares \"\(name)\"\(hint(for: name, in: declaredNames))",
        at: offset, .warning)
    }
    if app.probed.contains(name), isOptional(name) { return }
    if KnownNames.closed.contains(name) {
      return report(
        .unknownGlobal, "\"\(name)\" is not there: scripts of an app run in a sandbox", at: offset)
    }
    let hint =
      index.file(ofModule: name, requiredBy: script) != nil
      ? "; write local \(name) = require \"\(name)\"" : hint(forGlobal: name, at: offset)
    report(.unknownGlobal, "nothing declares or assigns \"\(name)\"\(hint)", at: offset)
  }

  /// Whether an undeclared name may be one that only some host programs define, rather than a
  /// mistyped name of the script's own.
  private func isOptional(_ name: String) -> Bool {
    if KnownNames.environments.contains(name) || KnownNames.closed.contains(name) { return true }
    return hint(for: name, in: ownNames).isEmpty
  }

  private func check(
    member name: String, of base: LuaExpression, at offset: Int, _ position: SyntaxWalker.Position,
    isTested: Bool
  ) {
    if check(assertion: name, of: base, at: offset) { return }
    switch inference.path(of: base) {
    case "view":
      mention(name, at: offset, .viewClasses)
      return check(viewClass: name, at: offset)
    case "models":
      mention(name, at: offset, .models)
      return check(modelName: name, at: offset)
    case "views":
      mention(name, at: offset, .ids)
      return check(viewID: name, at: offset)
    case "model":
      // The interpreter's own error has this code and location.
      return report(
        .scriptError,
        "\"model\" is a function, which has no \"\(name)\"; did you mean \"models\"?",
        at: base.range.lowerBound)
    case let table?:
      if names.members[table] != nil { mention(name, at: offset, .library(table)) }
      let path = "\(table).\(name)"
      // Reading a missing property of an object raises an error even in a test for it.
      let isProbe = position.isProbe && names.values.roots[table] == nil
      guard let members = names.members[table], !isProbe, !app.globals.contains(table),
        !app.adds(name, to: table), !script.isSpec || !app.makesGlobals
      else { break }
      if let permission = names.refused[path] {
        return report(
          .unknownMember, "\(path) is not allowed; \(names.remedy) \(permission)", at: offset)
      }
      if members.contains(name) { break }
      report(
        .unknownMember, "\(table) has no \"\(name)\"\(advice(for: name, in: table, members))",
        at: offset)
      return
    case nil: break
    }
    check(property: name, of: base, at: offset, isTested: isTested)
    if !isTested { check(member: name, ofElements: base, at: offset) }
    if !isTested, inference.inferredType(of: base) == nil {
      check(unknownMember: name, of: base, at: offset)
    }
  }

  /// The advice for a member that a table does not have.
  private func advice(for name: String, in table: String, _ members: Set<String>) -> String {
    if table == "os", name == "exit" {
      return "; write exit(0), which is a global and ends the app"
    }
    if LuaLibrary.closedMembers[table]?.contains(name) == true {
      return ": scripts of an app run in a sandbox"
    }
    let near = hint(for: name, in: members) { "\(table).\($0)" }
    if !near.isEmpty { return near }
    if names.api.contains(name) { return "; write \(name), which is a global" }
    return hintOrNames(for: name, in: members)
  }

  private func check(modelName name: String, at offset: Int) {
    if app.shapes[name] != nil || app.mayBe(name, app.unknownModels) { return }
    // The host program may have exposed a model of another name.
    let hint = hint(for: name, in: modelNames)
    if hint.isEmpty { return }
    report(.unknownModel, "there is no model \"\(name)\"\(hint)", at: offset)
  }

  private func check(viewID name: String, at offset: Int) {
    if app.ids.isEmpty || app.ids[name] != nil || app.mayBe(name, app.unknownIDs) { return }
    report(
      .unknownView,
      "no view has the id \"\(name)\"\(hint(for: name, in: idNames))",
      at: offset)
  }

  func check(
    target: LuaExpression, _ value: LuaExpression?, _ position: SyntaxWalker.Position
  ) {
    check(value: value, assignedToItself: target)
    switch target.kind {
    case .name(let name, let local):
      let namespace = local.map { Namespace.local($0) } ?? .variables
      mention(name, at: target.range.lowerBound, namespace, .writing)
      if let local { return check(assigned: value, to: local, at: target.range.lowerBound) }
      checkHiding(name, value, at: target.range.lowerBound, "the global variable")
      check(assignedGlobal: name, at: target.range.lowerBound, position)
    case .member(let base, let name, let offset):
      mention(member: name, of: base, at: offset)
      switch inference.path(of: base) {
      case "app": check(assignmentToApp: name, value, at: offset)
      case "viewer" where !app.globals.contains("viewer"):
        let known = names.values.roots["viewer"] ?? []
        if !known.contains(name) {
          report(missing: name, "property", of: "viewer", known, at: offset)
        }
      case "models" where !app.globals.contains("models"):
        // The interpreter's own error has this code and location.
        report(.readOnly, Runtime.assignedModel(name), at: offset)
      default: break
      }
      check(property: name, of: base, at: offset)
      guard let value, let owner = inference.inferredType(of: base) else { break }
      if case .view(let viewClass?) = owner {
        check(assigned: value, to: (name, offset), of: viewClass)
      } else if let type = owner.className.flatMap({ names.types.fields(of: $0)[name] }) {
        check(value, givenTo: name, as: type, of: owner)
      } else {
        check(value: value, of: name, at: offset, in: owner, called: self.name(of: owner, base))
      }
    case .index(let base, let key):
      mention(key: key, of: base, .writing)
      check(index: key, of: base)
      check(key: key, of: base)
      if let value, key.string == nil { check(rows: [value], putInto: base) }
    default: break
    }
  }

  func check(declared local: LuaLocal, _ position: SyntaxWalker.Position) {
    if let value = local.value { check(resultUsed: value, by: "\"\(local.name)\"") }
    mention(local.name, at: local.start, .local(local), .declaration)
    if local.depth == 0, !position.isConditional {
      checkHiding(local.name, local.value, at: local.start, "the local variable")
    }
  }

  private func checkHiding(_ name: String, _ value: LuaExpression?, at offset: Int, _ what: String)
  {
    guard names.api.contains(name), !script.isDefinitions else { return }
    if let value, inference.path(of: value) == name || isImport(value, of: name) { return }
    report(
      .hiddenName,
      "\(what) \"\(name)\" hides \"\(name)\" of the API, which is then only in tidelock.\(name)",
      at: offset, .warning)
  }

  /// Whether a variable has the name of its value: `local concat = table.concat`, and a module.
  private func isImport(_ value: LuaExpression, of name: String) -> Bool {
    switch value.kind {
    case .member(_, name, _): return true
    case .call(let callee, _):
      if case .name("require", nil) = callee.kind { return true }
      return inference.path(of: callee) == "require"
    default: return false
    }
  }
}
