import TideBindings
import TideScript
import TideViews

/// The facts about one app: the declarations of all its scripts, and the types of their
/// expressions.
///
/// It is created once for all scripts of the app, because the type of a parameter or of a cell's
/// `dataObject` may depend on another script.
final class AppIndex {
  let symbols: SymbolTable
  let inference: TypeInference
  let viewClasses: Set<String>
  let views: ViewClasses
  let scripts: [Script]
  /// Finds files, and caches the results.
  let finder: ScriptFinder
  private let missingModules: [ObjectIdentifier: [Workspace.MissingModule]]
  private let homes: [ObjectIdentifier: [String]]
  /// Whether no script has a syntax error. One may hide declarations.
  let isWhole: Bool
  /// The number of scripts other than specs, and whether there are specs.
  let scriptCount: Int
  let hasSpecs: Bool
  /// The known places of views.
  private var contexts: [ObjectIdentifier: ViewContext] = [:]
  private var components: [String: ViewContext] = [:]

  /// - Parameters:
  ///   - joined: the symbols of all scripts.
  ///   - finder: finds other files that the scripts name.
  ///   - modules: the scripts that calls of `require` load.
  ///   - homes: the folders of the apps that each script belongs to.
  ///   - makesGlobals: whether a missing module may define globals.
  init(
    _ scripts: [Script], _ joined: SymbolTable, names: KnownNames, finder: ScriptFinder,
    modules: [ObjectIdentifier: Script],
    missingModules: [ObjectIdentifier: [Workspace.MissingModule]] = [:],
    homes: [ObjectIdentifier: [String]] = [:], makesGlobals: Bool = false
  ) {
    self.scripts = scripts
    self.finder = finder
    self.missingModules = missingModules
    self.homes = homes
    isWhole = scripts.allSatisfy { $0.failure == nil }
    var symbols = joined
    if makesGlobals { symbols.makesGlobals = true }
    if !isWhole { symbols.admitUnknownNames() }
    self.symbols = symbols
    scriptCount = scripts.count { !$0.isSpec }
    hasSpecs = scripts.contains(where: \.isSpec)
    views = names.viewClasses
    viewClasses = Set(views.names)
    var inference = TypeInference(
      api: names.api, assigned: symbols.globals, ids: symbols.ids, shapes: symbols.shapes)
    // A model takes precedence over other objects with its name.
    let models = Set(symbols.models.map(\.name))
    inference.named = symbols.named.compactMapValues(\.self).filter { !models.contains($0.key) }
    let context = inference.context
    context.scripts = scripts
    context.tables = symbols.tables.shapes
    context.openNames = symbols.tables.openNames
    context.queries = QueryColumns(symbols.schema, names.queries)
    context.replacedNames = symbols.replacedNames
    context.objectProperties = symbols.objectProperties.subtracting(symbols.boundNames)
    inference.classes = symbols.classDeclarations.compactMapValues(\.self)
    if !symbols.makesGlobals {
      inference.globalValues = symbols.globalValues.compactMapValues(\.self)
    }
    context.modules = modules
    for local in symbols.tables.escaped {
      guard let call = local.value, let script = modules[ObjectIdentifier(call)] else { continue }
      context.openModules.insert(ObjectIdentifier(script))
    }
    for script in scripts where script.failure != nil {
      context.openModules.insert(ObjectIdentifier(script))
    }
    self.inference = inference
    for script in scripts { PlacementCollector(self).collect(script) }
    // The types so far were inferred from a part of the app.
    context.forget()
  }

  /// The first declaration of each model. Completion shows the comments above all of them.
  private(set) lazy var modelDeclarations: [String: (script: Script, offset: Int)] = {
    var found: [String: (script: Script, offset: Int)] = [:]
    for script in scripts {
      for model in script.symbols.models where found[model.name] == nil {
        found[model.name] = (script, model.offset)
      }
    }
    return found
  }()

  /// The missing modules that a script requires.
  func missingModules(of script: Script) -> [Workspace.MissingModule] {
    missingModules[ObjectIdentifier(script)] ?? []
  }

  /// The folders that are searched for a script's modules.
  func homes(of script: Script) -> [String] {
    if let known = homes[ObjectIdentifier(script)], !known.isEmpty { return known }
    return [ScriptFiles.folder(of: script.source.path)]
  }

  /// The file of a module that a script requires; nil if it is missing.
  func file(ofModule name: String, requiredBy script: Script) -> String? {
    if script.isSpec {
      return finder.module(name, requiredBySpec: script.source.path)?.file
    }
    return homes(of: script).lazy.compactMap { [finder] in finder.module(name, in: $0) }.first
  }

  /// The view classes that show rows.
  let rowViews: Set<String> = ["list", "table", "tree", "collection"]

  // MARK: Names

  private var addedNames: [String: Bool] = [:]

  /// Whether an object with unknown properties may have a property: a script contains its name as a
  /// key or a string, or assigns it to a value that may be a plain table. An assignment to an
  /// object does not count, so a slip does not make itself valid.
  ///
  /// - Parameter byText: whether strings other than keys count.
  func mayDeclare(_ name: String, byText: Bool = true) -> Bool {
    if (byText ? symbols.writtenNames : symbols.writtenKeys).contains(name) { return true }
    guard let owners = symbols.assignedMembers[name] else { return false }
    if let known = addedNames[name] { return known }
    let isAdded = owners.contains { owner in
      switch inference.inferredType(of: owner) {
      case nil, .table?, .array?, .constructor?, .text?, .plain?: true
      default: false
      }
    }
    addedNames[name] = isAdded
    return isAdded
  }

  /// The members that scripts add to tables and objects, and the members of the API's values.
  private(set) lazy var memberNames: [String] =
    symbols.writtenKeys.union(symbols.assignedMembers.keys).union(inference.types.memberNames)
    .sorted()

  /// Whether all keys of the app's tables are literals: all of its modules are known, and no
  /// statement computes a key that may be a string.
  private(set) lazy var writesAllKeys: Bool =
    !symbols.requiresUnknown
    && scripts.allSatisfy { script in
      missingModules(of: script).isEmpty && !script.writesComputedKeys
    }

  /// Whether a script may give a table a metatable.
  private(set) lazy var setsMetatables: Bool = scripts.contains {
    $0.source.bytes.contains(word: "setmetatable")
  }

  /// Whether the app reads tables whose keys come from elsewhere, also from a model that only the
  /// host program declares.
  private(set) lazy var readsForeignTables: Bool =
    symbols.mentionedModels.contains { symbols.shapes[$0] == nil }
    || scripts.contains(where: readsForeignTables)

  private func readsForeignTables(_ script: Script) -> Bool {
    let texts = Set(script.calls.compactMap(calleeForText(of:)).map { ObjectIdentifier($0) })
    return script.calls.contains(where: givesUnknownRows)
      || script.mentions.contains { mention in
        !texts.contains(ObjectIdentifier(mention)) && makesForeignTables(mention)
      }
  }

  private func givesUnknownRows(_ call: LuaExpression) -> Bool {
    guard case .method(let base, let name, _, _) = call.kind, name == "list" || name == "row",
      case .store? = inference.inferredType(of: base)
    else { return false }
    return inference.inferredType(of: call)?.hasKnownRows != true
  }

  /// Whether a function makes tables whose keys the app does not write. It counts wherever it is
  /// mentioned, as in `pcall(json.decode, text)`.
  private func makesForeignTables(_ function: LuaExpression) -> Bool {
    if case .member(let base, let name, _) = function.kind, name == "list" || name == "row",
      case .store? = inference.inferredType(of: base)
    {
      return true
    }
    guard let path = inference.path(of: function) else { return false }
    return ["json.decode", "load", "os.date", "debug.getinfo"].contains(path)
      || path.hasPrefix("http.")
  }

  /// The callee of a call of `os.date` that gives a text: its format is written out, and not `*t`.
  private func calleeForText(of call: LuaExpression) -> LuaExpression? {
    guard case .call(let callee, let arguments) = call.kind,
      inference.path(of: callee) == "os.date"
    else { return nil }
    guard let format = arguments.first else { return callee }
    return format.string.map { !$0.text.contains("*t") } == true ? callee : nil
  }

  // MARK: Notifications

  /// The notifications that scripts only observe, and those that they only post.
  private(set) lazy var unpostedNotifications =
    symbols.observedNotifications.subtracting(symbols.postedNotifications).sorted()
  private(set) lazy var unobservedNotifications =
    symbols.postedNotifications.subtracting(symbols.observedNotifications).sorted()

  // MARK: Rows

  /// The source of the rows that a view shows, from the fields of its table.
  func rows(of fields: [LuaField]) -> RowSource? {
    if let items = fields["items"] {
      if let body = items.functionBody {
        let results = body.results.compactMap(\.first)
        return results.count == 1 ? .expression(results[0]) : nil
      }
      return items.string == nil ? .expression(items) : nil
    }
    let given = fields["bindTo"]?.fields?["items"]
    guard let text = (given?.fields?["path"] ?? given)?.string,
      let expression = try? ViewExpression.parse(text.text), expression.transforms.isEmpty
    else { return nil }
    return .path(expression.path)
  }

  /// The columns in a literal table, or in one that a function of the same script returns.
  func columns(of value: LuaExpression?, _ budget: Int = 8) -> [LuaExpression] {
    guard let value, budget > 0 else { return [] }
    switch value.kind {
    case .table(let fields): return fields.map(\.value)
    case .function(let body):
      return body.results.count == 1 ? columns(of: body.results[0].first, budget - 1) : []
    case .name(_, let local?):
      if local.isReassigned { return [] }
      if let body = local.function {
        return body.results.count == 1 ? columns(of: body.results[0].first, budget - 1) : []
      }
      return columns(of: local.value, budget - 1)
    default: return []
    }
  }

  // MARK: Modules

  /// A model that another module of the same app has declared before.
  struct RepeatedModel {
    let name: String
    let offset: Int
    let earlier: SourceLocation
  }

  /// The modules that scripts other than specs require.
  private(set) lazy var required: Set<ObjectIdentifier> = {
    var found: Set<ObjectIdentifier> = []
    for script in scripts where !script.isSpec {
      for module in modules(requiredBy: script) { found.insert(ObjectIdentifier(module.script)) }
    }
    return found
  }()

  /// The calls of `require` that lead back to a script which is still being loaded, by the script
  /// with the call.
  private(set) lazy var requiredInCircles: [ObjectIdentifier: [(name: String, offset: Int)]] = {
    var found: [ObjectIdentifier: [(name: String, offset: Int)]] = [:]
    var (loading, loaded): (Set<ObjectIdentifier>, Set<ObjectIdentifier>) = ([], [])
    func load(_ script: Script) {
      let identity = ObjectIdentifier(script)
      guard loaded.insert(identity).inserted else { return }
      loading.insert(identity)
      let atOnce = script.requiredAtLoad
      for module in modules(requiredBy: script) where atOnce.contains(module.offset) {
        if loading.contains(ObjectIdentifier(module.script)) {
          let name = module.script.source.path.split(separator: "/").last ?? ""
          found[identity, default: []].append((String(name), module.offset))
        } else {
          load(module.script)
        }
      }
      loading.remove(identity)
    }
    let own = scripts.filter { !$0.isSpec }
    let mains = own.filter { !required.contains(ObjectIdentifier($0)) }
    let named = own.filter {
      ["app.lua", "main.lua"].contains($0.source.path.split(separator: "/").last)
    }
    for script in mains + named + own { load(script) }
    return found
  }()

  private func modules(requiredBy script: Script) -> [(offset: Int, script: Script)] {
    script.symbols.requires.compactMap { required in
      inference.context.modules[ObjectIdentifier(required.call)].map { (required.offset, $0) }
    }
  }

  /// The models that several modules of one app declare, by the script with the later declaration.
  /// Two main scripts that share a module are two apps.
  private(set) lazy var repeatedModels: [ObjectIdentifier: [RepeatedModel]] = {
    var found: [ObjectIdentifier: [RepeatedModel]] = [:]
    for main in scripts where !main.isSpec && !required.contains(ObjectIdentifier(main)) {
      var declared: [String: (script: Script, offset: Int)] = [:]
      for (script, model) in modelsInOrder(from: main) {
        if let first = declared[model.name], first.script !== script {
          let line = first.script.source.location(of: first.offset).line
          found[ObjectIdentifier(script), default: []].append(
            RepeatedModel(
              name: model.name, offset: model.offset,
              earlier: SourceLocation(file: first.script.source.path, line: line)))
        } else {
          declared[model.name] = (script, model.offset)
        }
      }
    }
    return found
  }()

  /// The models of an app in the order in which its scripts declare them.
  private func modelsInOrder(from main: Script) -> [(Script, SymbolTable.Model)] {
    var models: [(Script, SymbolTable.Model)] = []
    var visited: Set<ObjectIdentifier> = []
    func run(_ script: Script) {
      guard visited.insert(ObjectIdentifier(script)).inserted else { return }
      var steps: [(offset: Int, step: () -> Void)] = modules(requiredBy: script).map { module in
        (module.offset, { run(module.script) })
      }
      for model in script.symbols.models where model.isCertain {
        steps.append((model.offset, { models.append((script, model)) }))
      }
      for step in steps.sorted(by: { $0.offset < $1.offset }) { step.step() }
    }
    run(main)
    return models
  }

  /// Whether a script calls `show`.
  private(set) lazy var callsShow: Bool = scripts.contains { script in
    script.calls.contains { call in
      guard case .call(let callee, _) = call.kind else { return false }
      return inference.function(callee) == "show"
    }
  }

  // MARK: Use

  /// The transformers whose names occur only in their declarations.
  private(set) lazy var unusedTransformers: Set<String> = {
    let counts = Self.counts(of: symbols.transformerPlaces)
    return Set(counts.filter { symbols.words[$0.key] ?? 0 <= $0.value }.keys)
  }()

  /// The ids that occur only in their declarations.
  private(set) lazy var unusedIDs: Set<String> = {
    let counts = Self.counts(of: symbols.idPlaces)
    return Set(
      counts.filter { id, count in
        !symbols.mentionedIDs.contains(id) && symbols.roots[id] ?? 0 <= count
      }.keys)
  }()

  private static func counts(of places: [(name: String, offset: Int)]) -> [String: Int] {
    places.reduce(into: [:]) { $0[$1.name, default: 0] += 1 }
  }

  // MARK: Places of views

  /// The place of a component's root view, which represents each view of the component.
  func place(ofComponent name: String) -> ViewContext {
    if let known = components[name] { return known }
    let made = ViewContext()
    made.viewClass = name
    components[name] = made
    return made
  }

  /// The place of the view that a call creates.
  func context(of call: LuaExpression) -> ViewContext {
    if let known = contexts[ObjectIdentifier(call)] { return known }
    let made = ViewContext()
    contexts[ObjectIdentifier(call)] = made
    if let place = call.viewPlace, place.hidden == inference.hidden {
      if let viewClass = place.viewClass {
        made.viewClass = viewClass
        made.dataObject = place.dataObject
      }
      if let superview = place.superview { made.put(in: context(of: superview)) }
    }
    return made
  }
}
