/// A name in a script, and the namespace in which the checker looks it up.
///
/// Completion, hover and navigation all follow from the namespace. It is the one by which the
/// checker finds mistakes, so that an editor and the checker agree.
struct Mention {
  enum Role {
    case reading
    case writing
    /// The name declares something.
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
  /// The classes of objects and of views.
  case classes
  case contexts
  case modelsOrContexts
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
  /// The properties of an object about which nothing is known.
  case unknownProperties
  /// What the table of a view's class may contain, or its `bindTo`.
  case viewFields(String, isBindTo: Bool)
  /// The first step of a path: models, ids, `app`, and what the option `roots` adds.
  case roots(LiteralShape)
  /// The same for a path that begins at a view, whose own properties come first.
  case viewRoots(String, LiteralShape)
  /// The operators of paths, for views and for lists: `@superview`, `@count`.
  case pathOperators
  /// The fields of a table that a function takes.
  case options(of: String, [String])
  /// The strings that a property or an option may have.
  case cases([String])
  /// A field of any table, which declares a property with its value.
  case field(LuaExpression)
  /// The arrow between the two paths of a binding.
  case arrows

  /// Whether a later look may tell more about the name.
  var isProvisional: Bool {
    switch self {
    case .field, .unknownProperties: true
    default: false
    }
  }
}
