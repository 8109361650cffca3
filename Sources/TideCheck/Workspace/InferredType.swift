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

/// The properties that a literal table gives an object.
struct LiteralShape {
  var names: Set<String> = []
  /// Whether there may be others: a key is computed, or what it inherits is not known.
  var isOpen = false
  /// Whether the shape lists all properties, as for the rows of a query.
  var isExact = false
  /// What each property is declared with.
  private var values: [String: Declarations] = [:]
  /// The types of properties that no expression declares.
  private(set) var types: [String: InferredType] = [:]

  /// The values that tables declare a property with.
  private enum Declarations {
    case one(LuaExpression)
    /// Several tables declare it, or none by a value.
    case others([LuaExpression])

    var all: [LuaExpression] {
      switch self {
      case .one(let value): [value]
      case .others(let values): values
      }
    }

    static func + (first: Self, second: Self) -> Self {
      if case .one(let one) = first, case .one(let other) = second, one === other { return first }
      let known = first.all
      return .others(known + second.all.filter { value in !known.contains { $0 === value } })
    }
  }

  static var unknown: LiteralShape { LiteralShape(isOpen: true) }

  init(names: Set<String> = [], isOpen: Bool = false) {
    self.names = names
    self.isOpen = isOpen
  }

  init(_ fields: [LuaField]) {
    for field in fields {
      guard let name = field.name?.text else {
        isOpen = true
        continue
      }
      names.insert(name)
      declare(name, field.value)
    }
  }

  /// Adds a property of a known type.
  mutating func add(_ name: String, as type: InferredType) {
    names.insert(name)
    types[name] = type
  }

  func contains(_ name: String) -> Bool { isOpen || names.contains(name) }

  /// What a property is declared with, where that is one known value.
  func value(of name: String) -> LuaExpression? {
    if case .one(let value)? = values[name] { value } else { nil }
  }

  /// All values that a property is declared with.
  func values(of name: String) -> [LuaExpression] { values[name]?.all ?? [] }

  /// Adds a property, with the value it is declared with if known.
  mutating func add(_ name: String, _ value: LuaExpression?) {
    let isNew = names.insert(name).inserted
    let declared = value.map { Declarations.one($0) } ?? .others([])
    if isNew {
      values[name] = declared
    } else {
      values[name] = (values[name] ?? .others([])) + declared
    }
  }

  private mutating func declare(_ name: String, _ value: LuaExpression) {
    // Removed while it changes, so that a key that occurs thousands of times copies nothing.
    guard let known = values.removeValue(forKey: name) else {
      values[name] = .one(value)
      return
    }
    var all = known.all
    if case .others(let others) = known { all = others }
    all.append(value)
    values[name] = .others(all)
  }

  mutating func formUnion(_ other: LiteralShape) {
    types.merge(other.types) { first, _ in first }
    names.formUnion(other.names)
    isOpen = isOpen || other.isOpen
    isExact = isExact && other.isExact
    values.merge(other.values, uniquingKeysWith: +)
  }
}
