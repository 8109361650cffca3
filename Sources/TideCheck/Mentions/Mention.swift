/// A name in a script, and the namespace in which the checker looks it up.
///
/// Completion, hover and navigation all depend on the namespace. The checker uses the same
/// namespace to find mistakes, so editors and the checker agree.
struct Mention {
  enum Role {
    case reading
    case writing
    /// The name declares something.
    case declaration
  }

  let name: String
  /// The bytes of the name; empty if the name is still to be typed.
  let range: Range<Int>
  let namespace: Namespace
  let role: Role
}

/// The namespace in which a name is looked up.
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
  /// The properties of an object, or its methods if the name is called.
  case properties(of: InferredType, isMethod: Bool)
  /// The properties of an object of unknown type.
  case unknownProperties
  /// The fields of a view's table, or of its `bindTo`.
  case viewFields(String, isBindTo: Bool)
  /// The first step of a path: models, ids, `app`, and the names in the option `roots`.
  case roots(LiteralShape)
  /// The same for a path that begins at a view, whose own properties come first.
  case viewRoots(String, LiteralShape)
  /// The operators of paths, for views and for lists: `@superview`, `@count`.
  case pathOperators
  /// The fields of a table of options.
  case options(of: String, [String])
  /// The strings that a property or an option allows.
  case cases([String])
  /// A field of any table, which declares a property with this value.
  case field(LuaExpression)
  /// The arrow between the two paths of a binding.
  case arrows

  /// Whether a later mention may replace the namespace by a more precise one.
  var isProvisional: Bool {
    switch self {
    case .field, .unknownProperties: true
    default: false
    }
  }
}
