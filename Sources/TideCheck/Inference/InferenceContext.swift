import TideBindings
import TideScript

/// What type inference needs from the other scripts of the app, with the types inferred so far.
final class InferenceContext {
  /// The plain tables in variables; see `LocalTables`.
  var tables: [ObjectIdentifier: LiteralShape] = [:]
  var openNames: Set<String> = []
  /// All scripts of the app, and their calls by the names of functions.
  var scripts: [Script] = []
  private var calls: [String: [LuaExpression]] = [:]
  /// The scripts that calls of `require` ask for.
  var modules: [ObjectIdentifier: Script] = [:]
  /// The scripts whose returned tables others may add to.
  var openModules: Set<ObjectIdentifier> = []
  /// What literal queries give.
  var queries = QueryColumns(SchemaTexts(), nil)

  /// The properties that are given other values than they are declared with.
  var replacedNames: Set<String> = []
  /// The properties that are declared as objects of any kind, unless a binding may write to them.
  var objectProperties: Set<String> = []
  private var propertyValues: [String: [(owner: LuaExpression?, value: LuaExpression)]] = [:]
  /// What scripts put into lists that are declared empty, by what declares them.
  private var additions: [ObjectIdentifier: [LuaExpression]] = [:]
  /// What statements give controllers as their content, by the calls that make them.
  private var contents: [ObjectIdentifier: [LuaExpression]] = [:]
  /// What scripts put into lists that are not known.
  private(set) var unplacedAdditions: [LuaExpression] = []
  /// Whether all of those are rows of known classes; nil until that has been asked.
  var knowsUnplacedAdditions: Bool?

  private var origins: [ObjectIdentifier: [LocalOrigin]] = [:]
  private var known: [ObjectIdentifier: InferredType?] = [:]
  private var pending: Set<ObjectIdentifier> = []
  /// How often a node was asked for while it was being inferred.
  private var cycles = 0

  // MARK: Variables

  /// Notes the role of a variable.
  func note(_ origin: LocalOrigin, of local: LuaLocal?) {
    guard let local else { return }
    origins[ObjectIdentifier(local), default: []].append(origin)
  }

  func origins(of local: LuaLocal) -> [LocalOrigin] { origins[ObjectIdentifier(local)] ?? [] }

  /// The calls of functions that are called under a name.
  func calls(of name: String) -> [LuaExpression] {
    if let known = calls[name] { return known }
    let found = scripts.flatMap { $0.callsByName[name] ?? [] }
    calls[name] = found
    return found
  }

  /// What statements assign to members of a name, with their owners, and what tables give a key of
  /// that name.
  func values(ofProperty name: String) -> [(owner: LuaExpression?, value: LuaExpression)] {
    if let known = propertyValues[name] { return known }
    var found: [(owner: LuaExpression?, value: LuaExpression)] = []
    for script in scripts {
      for assignment in script.assignmentsByName[name] ?? [] {
        found.append((assignment.owner, assignment.value))
      }
      for value in script.fieldValues[name] ?? [] { found.append((nil, value)) }
    }
    propertyValues[name] = found
    return found
  }

  // MARK: Lists

  /// Notes what is put into a list; without one it may be any.
  func note(additions values: [LuaExpression], to list: LuaExpression?) {
    guard let list else {
      unplacedAdditions += values
      return
    }
    additions[ObjectIdentifier(list), default: []] += values
  }

  func additions(to list: LuaExpression) -> [LuaExpression] {
    additions[ObjectIdentifier(list)] ?? []
  }

  /// Notes what a statement gives a controller as its content.
  func note(content: LuaExpression, of controller: LuaExpression) {
    contents[ObjectIdentifier(controller), default: []].append(content)
  }

  func contents(of controller: LuaExpression) -> [LuaExpression] {
    contents[ObjectIdentifier(controller)] ?? []
  }

  // MARK: Results

  private static let restartLimit = 3
  private var restarts = 0

  /// Infers something with the whole budget, so that the result does not depend on how deep it was
  /// asked for; deeper than a few of these with what is left.
  func restarted(_ budget: Int, _ find: (Int) -> InferredType?) -> InferredType? {
    guard restarts < Self.restartLimit else { return find(budget) }
    restarts += 1
    defer { restarts -= 1 }
    return find(TypeInference.budget)
  }

  /// Forgets types that were inferred before the whole app was known.
  func forget() {
    known = [:]
    knowsUnplacedAdditions = nil
  }

  /// Infers the type of a node once. A node that is asked for while it is being inferred, as in a
  /// function that calls itself, has no type yet.
  func remembered(
    _ node: AnyObject, _ budget: Int, _ find: () -> InferredType?
  ) -> InferredType? {
    let key = ObjectIdentifier(node)
    if let type = known[key] { return type }
    guard pending.insert(key).inserted else {
      cycles += 1
      return nil
    }
    let before = cycles
    let type = find()
    pending.remove(key)
    // A nil that may be due to a cycle or to the exhausted budget is not kept.
    if type != nil || cycles == before && budget > TypeInference.budget / 2 {
      known[key] = .some(type)
    }
    return type
  }
}

/// The role of a parameter or of a loop's variable, which gives its type.
enum LocalOrigin {
  /// `self`, and the parameters of functions whose callers are known.
  case type(InferredType)
  /// An element of a list.
  case element(of: LuaExpression)
  /// A row of a view's items or of a controller's content.
  case row(of: RowSource)
  /// A row of a controller.
  case rowOf(controller: LuaExpression)
  /// The value of a property: `observe(object, "name", function(value) … end)`.
  case property(LuaExpression, Path)
}

/// Where rows come from.
indirect enum RowSource {
  /// A list, or a string with a path.
  case expression(LuaExpression)
  /// A path that begins with the name of a model.
  case path(Path)
}
