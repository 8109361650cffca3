import TideBindings
import TideScript

/// The facts about an app's other scripts that type inference needs, and a cache of inferred types.
final class InferenceContext {
  /// The plain tables in variables; see `LocalTables`.
  var tables: [ObjectIdentifier: LiteralShape] = [:]
  var openNames: Set<String> = []
  /// All scripts of the app, and a cache of their calls by the names of functions.
  var scripts: [Script] = []
  private var calls: [String: [LuaExpression]] = [:]
  /// The scripts that calls of `require` load.
  var modules: [ObjectIdentifier: Script] = [:]
  /// The scripts whose returned tables others may add to.
  var openModules: Set<ObjectIdentifier> = []
  /// The columns of literal queries.
  var queries = QueryColumns(SchemaTexts(), nil)

  /// The properties that are assigned other values than those they are declared with.
  var replacedNames: Set<String> = []
  /// The properties that are declared as objects of any class, except those that a binding may
  /// write to.
  var objectProperties: Set<String> = []
  private var propertyValues: [String: [(owner: LuaExpression?, value: LuaExpression)]] = [:]
  /// The values that scripts add to lists that are declared empty, by the lists' declarations.
  private var additions: [ObjectIdentifier: [LuaExpression]] = [:]
  /// The contents that statements assign to controllers, by the calls that create the controllers.
  private var contents: [ObjectIdentifier: [LuaExpression]] = [:]
  /// The values that scripts add to unknown lists.
  private(set) var unplacedAdditions: [LuaExpression] = []
  /// Whether all of these are rows of known shapes; nil until computed.
  var knowsUnplacedAdditions: Bool?

  private var origins: [ObjectIdentifier: [LocalOrigin]] = [:]
  private var known: [ObjectIdentifier: InferredType?] = [:]
  private var pending: Set<ObjectIdentifier> = []
  /// The number of times that a node's type was requested during its own inference.
  private var cycles = 0

  // MARK: Variables

  /// Records the role of a variable.
  func note(_ origin: LocalOrigin, of local: LuaLocal?) {
    guard let local else { return }
    origins[ObjectIdentifier(local), default: []].append(origin)
  }

  func origins(of local: LuaLocal) -> [LocalOrigin] { origins[ObjectIdentifier(local)] ?? [] }

  /// The calls of functions by a name.
  func calls(of name: String) -> [LuaExpression] {
    if let known = calls[name] { return known }
    let found = scripts.flatMap { $0.callsByName[name] ?? [] }
    calls[name] = found
    return found
  }

  /// The values that statements assign to members with a name, with their owners, and the values of
  /// keys with that name in tables.
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

  /// Records values that are added to a list; nil stands for an unknown list.
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

  /// Records content that a statement assigns to a controller.
  func note(content: LuaExpression, of controller: LuaExpression) {
    contents[ObjectIdentifier(controller), default: []].append(content)
  }

  func contents(of controller: LuaExpression) -> [LuaExpression] {
    contents[ObjectIdentifier(controller)] ?? []
  }

  // MARK: Results

  private static let restartLimit = 3
  private var restarts = 0

  /// Infers a type with the full budget, so that the result does not depend on the depth of the
  /// request. After a few nested restarts it continues with the remaining budget.
  func restarted(_ budget: Int, _ find: (Int) -> InferredType?) -> InferredType? {
    guard restarts < Self.restartLimit else { return find(budget) }
    restarts += 1
    defer { restarts -= 1 }
    return find(TypeInference.budget)
  }

  /// Discards types that were inferred before the whole app was known.
  func forget() {
    known = [:]
    knowsUnplacedAdditions = nil
  }

  /// Infers the type of a node once. A node whose type is requested during its own inference, as in
  /// a recursive function, has no type yet.
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
    // A nil result that may be due to a cycle or to the exhausted budget is not cached.
    if type != nil || cycles == before && budget > TypeInference.budget / 2 {
      known[key] = .some(type)
    }
    return type
  }
}

/// The role of a parameter or of a loop variable, which determines its type.
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

/// The origin of rows.
indirect enum RowSource {
  /// A list, or a string with a path.
  case expression(LuaExpression)
  /// A path that begins with the name of a model.
  case path(Path)
}
