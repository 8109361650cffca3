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
