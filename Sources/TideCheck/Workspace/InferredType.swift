import TideBindings
import TideScript

/// What the text of a script tells of a value.
indirect enum InferredType {
  case model(String)
  /// An object of that shape, whose properties are what they are.
  case object(LiteralShape)
  /// What a property holds at first; another object may take its place.
  case held(LiteralShape)
  /// A list, and the shape of its first elements where it is known.
  case list(LiteralShape?)
  /// A view of that class, or of an unknown one.
  case view(String?)
  /// A function that makes objects.
  case constructor(LiteralShape)
  /// A controller: `list`, `tree` and so on.
  case controller(String)
  /// A binding, a handle or a task.
  case userdata(String)
  /// A database that was opened.
  case store
  case text
  /// A number or a boolean, by its type's name.
  case plain(String)

  /// What a property of a declared type holds; nil where that may be anything.
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
  /// What each property is declared with; nil where several tables declare it.
  private var values: [String: LuaExpression?] = [:]

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
      values[name] = .some(values[name] == nil ? field.value : nil)
    }
  }

  func contains(_ name: String) -> Bool { isOpen || names.contains(name) }

  /// What a property is declared with, where that is known.
  func value(of name: String) -> LuaExpression? { values[name] ?? nil }

  mutating func formUnion(_ other: LiteralShape) {
    names.formUnion(other.names)
    isOpen = isOpen || other.isOpen
    values.merge(other.values) { first, second in first === second ? first : nil }
  }
}
