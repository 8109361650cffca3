import TideBindings
import TideScript

/// The type of a value, inferred from a script's text.
indirect enum InferredType {
  case model(String)
  /// One particular object, created with that shape.
  case object(LiteralShape)
  /// The initial object of a property; another object may replace it.
  case held(LiteralShape)
  /// A list, and the shape of its first elements if known.
  case list(LiteralShape?)
  /// A plain table of elements of one type.
  case array(InferredType)
  /// A plain table in a variable or a module, with all members that scripts add to it.
  case table(LiteralShape, name: String)
  /// A view of a class; nil for an unknown class.
  case view(String?)
  /// A function that creates objects.
  case constructor(LiteralShape)
  /// A controller: its kind, such as `list` or `tree`, and the shape of its rows if known.
  case controller(String, rows: LiteralShape?)
  /// An instance of a class of the API, by its name in `APITypes`.
  case instance(String)
  /// A binding, a handle or a task.
  case userdata(String)
  /// An open database.
  case store
  case text
  /// A number or a boolean, by its type's name.
  case plain(String)

  /// The type for an annotation in the catalogue; nil if it allows any value.
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

  /// The catalogue's class of the value; nil if it has none.
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

  /// The type of a property with a declared type; nil if it allows any value.
  init?(_ type: ValueType) {
    switch type {
    case .string: self = .text
    case .number, .integer, .boolean: self = .plain(type.name)
    case .list: self = .list(nil)
    case .any, .object, .dictionary: return nil
    }
  }
}
