import TideBindings
import TideScript

/// The properties that a literal table declares for an object.
struct LiteralShape {
  var names: Set<String> = []
  /// Whether there may be further properties: a key is computed, or the base class is unknown.
  var isOpen = false
  /// Whether the names are complete, as for the rows of a query.
  var isExact = false
  /// Whether a class declares all properties, so that every such object is of that class.
  var isOfClass = false
  /// Whether it is that of rows that cannot be written, such as those of a query without a class.
  var isReadOnly = false
  /// Whether properties may hold values of other types than their initial ones, as in settings.
  var isUntyped = false
  /// The values with which each property is declared.
  private var values: [String: Declarations] = [:]
  /// The types of properties without a declaring expression.
  private(set) var types: [String: InferredType] = [:]

  /// The declarations of a property.
  private enum Declarations {
    case one(LuaExpression)
    /// Several declarations, or none with a value.
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

  /// The value with which a property is declared, if there is exactly one.
  func value(of name: String) -> LuaExpression? {
    if case .one(let value)? = values[name] { value } else { nil }
  }

  /// All values with which a property is declared.
  func values(of name: String) -> [LuaExpression] { values[name]?.all ?? [] }

  /// Adds a property, and the value with which it is declared if known.
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
    // Removed during the change, so that a key that occurs thousands of times causes no copies.
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
    isUntyped = isUntyped || other.isUntyped
    isOfClass = isOfClass && other.isOfClass
    isExact = isExact && other.isExact
    isReadOnly = isReadOnly && other.isReadOnly
    values.merge(other.values, uniquingKeysWith: +)
  }
}
