/// A name in a script, and the namespace in which the checker looks it up.
///
/// What can stand in its place, what it means, and where else the same is named all follow from the
/// namespace, which is the one that the checker finds mistakes by.
struct Mention {
  enum Role {
    case reading
    case writing
    /// What the name means is declared here.
    case declaration
  }

  let name: String
  /// The bytes of the name, which is empty where it is still to be typed.
  let range: Range<Int>
  let namespace: Namespace
  let role: Role
}

/// Where a name is looked up.
indirect enum Namespace {
  /// A local variable, a parameter or the variable of a loop.
  case local(LuaLocal)
  /// Global variables, and local ones that are visible.
  case variables
  /// A table of Lua's library or of the API, such as `string`.
  case library(String)
  case models
  case ids
  case viewClasses
  case transformers
  case styles
  case themes
  case modules
  /// The events that a view of a class may receive, or any view; see `ViewClass.events`.
  case events(viewClass: String?)
  case appEvents
  case keys
  /// The properties of an object, and its methods where a script calls one.
  case properties(of: InferredType, isMethod: Bool)
  /// The properties of an object of which nothing is known.
  case unknownProperties
  /// What the table of a view's class may contain, or its `bindTo`.
  case viewFields(String, isBindTo: Bool)
  /// The first step of a path: models, ids, `app`, and what the option `roots` adds.
  case roots(LiteralShape)
  /// The same for a path that begins at a view, whose own properties come first.
  case viewRoots(String, LiteralShape)
  /// What a view operator, or one for lists, may be.
  case pathOperators
  /// The fields of a table that a function takes.
  case options(of: String, [String])
  /// The texts that a property or an option may have.
  case cases([String])
  /// A field of a table that declares what its value is.
  case field(LuaExpression)
  /// What stands between the two paths of a binding.
  case arrows
}
