/// The names of the properties that a literal table gives an object.
struct LiteralShape {
  var names: Set<String> = []
  /// Whether there may be others: a key is computed, or what it inherits is not known.
  var isOpen = false

  static let unknown = LiteralShape(isOpen: true)

  init(names: Set<String> = [], isOpen: Bool = false) {
    self.names = names
    self.isOpen = isOpen
  }

  init(_ fields: [LuaField]) {
    for field in fields {
      if let name = field.name?.text { names.insert(name) } else { isOpen = true }
    }
  }

  func contains(_ name: String) -> Bool { isOpen || names.contains(name) }

  mutating func formUnion(_ other: LiteralShape) {
    names.formUnion(other.names)
    isOpen = isOpen || other.isOpen
  }
}
