import TideBindings
import TideScript

/// What the scripts of an app tell of each other's expressions, and what has been found out so far.
final class InferenceContext {
  /// The plain tables that variables hold; see `LocalTables`.
  var tables: [ObjectIdentifier: LiteralShape] = [:]
  var openNames: Set<String> = []
  /// The scripts that calls of `require` ask for.
  var modules: [ObjectIdentifier: Script] = [:]
  /// The scripts whose tables others may add to.
  var openModules: Set<Int> = []
  /// The columns of the tables of databases, as far as literal statements make them.
  var columns: [String: Set<String>] = [:]

  private var origins: [ObjectIdentifier: [LocalOrigin]] = [:]
  private var known: [ObjectIdentifier: InferredType?] = [:]
  private var pending: Set<ObjectIdentifier> = []
  /// How often a node was asked for while it was being looked at.
  private var cycles = 0

  // MARK: Variables

  /// Tells what a variable is by where it stands.
  func note(_ origin: LocalOrigin, of local: LuaLocal?) {
    guard let local else { return }
    origins[ObjectIdentifier(local), default: []].append(origin)
  }

  func origins(of local: LuaLocal) -> [LocalOrigin] { origins[ObjectIdentifier(local)] ?? [] }

  // MARK: Results

  /// Forgets what has been found out, before all of the app was known.
  func forget() { known = [:] }

  /// What has been found out of a node of a tree, which is found out once. A node that is asked for
  /// while it is being looked at, as by a function that calls itself, tells nothing.
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
    // Of what was not found, the cycle or the end of the budget may have been the reason.
    if type != nil || cycles == before && budget > TypeInference.budget / 2 {
      known[key] = .some(type)
    }
    return type
  }
}

/// What a parameter or the variable of a loop is by where it stands.
enum LocalOrigin {
  /// `self`, and the parameters of functions whose callers are known.
  case type(InferredType)
  /// An element of a list.
  case element(of: LuaExpression)
  /// A row of what the items of a view, or the content of a controller, are.
  case row(of: RowSource)
  /// The value of a property: `observe(object, "name", function(value) … end)`.
  case property(LuaExpression, Path)
}

/// Where rows come from.
indirect enum RowSource {
  /// A list, or a path in a text.
  case expression(LuaExpression)
  /// A path that begins with the name of a model.
  case path(Path)
}
