import TideBindings
import TideScript

/// What the text of a script says about a value.
indirect enum InferredType {
  case model(String)
  /// One particular object, made with that shape.
  case object(LiteralShape)
  /// The object that a property holds at first; another one may replace it.
  case held(LiteralShape)
  /// A list, and the shape of its first elements if known.
  case list(LiteralShape?)
  /// A plain table of elements of one type.
  case array(InferredType)
  /// A plain table in a variable or a module, with all members that scripts add.
  case table(LiteralShape, name: String)
  /// A view of that class, or of an unknown one.
  case view(String?)
  /// A function that makes objects.
  case constructor(LiteralShape)
  /// A controller: its kind, such as `list` or `tree`, and the shape of its rows if known.
  case controller(String, rows: LiteralShape?)
  /// A value of a class of the API, by its name in `APITypes`.
  case instance(String)
  /// A binding, a handle or a task.
  case userdata(String)
  /// A database that was opened.
  case store
  case text
  /// A number or a boolean, by its type's name.
  case plain(String)

  /// A value of a type in the catalogue; nil for a type that may be anything.
  init?(annotation type: String?, in types: APITypes) {
    guard let name = types.className(of: type) else { return nil }
    switch name {
    case "List": self = .list(nil)
    case "Store": self = .store
    case "Binding", "Handle", "Task": self = .userdata(name.lowercased())
    case "DataObject", "View", "Class", "Trigger", "Marker": return nil
    case _ where name.hasPrefix("controller."):
      self = .controller(String(name.dropFirst("controller.".count)), rows: nil)
    default: self = .instance(name)
    }
  }

  /// The class in the catalogue that a value belongs to.
  var className: String? {
    switch self {
    case .list: "List"
    case .view: "view.view"
    case .controller(let kind, _): "controller.\(kind)"
    case .userdata(let kind): kind.prefix(1).uppercased() + kind.dropFirst()
    case .store: "Store"
    case .instance(let name): name
    default: nil
    }
  }

  /// The value of a property of a declared type; nil if it may be anything.
  init?(_ type: ValueType) {
    switch type {
    case .string: self = .text
    case .number, .integer, .boolean: self = .plain(type.name)
    case .list: self = .list(nil)
    case .any, .object, .dictionary: return nil
    }
  }
}
