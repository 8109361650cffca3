import TideGraph
package import TideValues

extension Value {
  /// Negative where this value sorts before another, positive where after, 0 where they are equal.
  ///
  /// Nil comes first, then false, true, numbers (NaN last of them), texts, and objects, which are
  /// all alike.
  package func compare(with other: Value) -> Int {
    switch (self, other) {
    case (.integer(let a), .integer(let b)): return a < b ? -1 : a > b ? 1 : 0
    case (.string(let a), .string(let b)): return a < b ? -1 : a > b ? 1 : 0
    case (.boolean(let a), .boolean(let b)): return (a ? 1 : 0) - (b ? 1 : 0)
    case (.bytes(let a), .bytes(let b)): return Self.compare(a, b)
    case (.bytes(let a), .string(let b)): return Self.compare(a, b.utf8)
    case (.string(let a), .bytes(let b)): return Self.compare(a.utf8, b)
    default:
      if sortRank != other.sortRank { return sortRank - other.sortRank }
      guard sortRank == 2 else { return 0 }
      let (a, b) = (Arithmetic.float(self), Arithmetic.float(other))
      if a.isNaN || b.isNaN { return (a.isNaN ? 1 : 0) - (b.isNaN ? 1 : 0) }
      return a < b ? -1 : a > b ? 1 : 0
    }
  }

  private static func compare(_ a: some Collection<UInt8>, _ b: some Collection<UInt8>) -> Int {
    a.lexicographicallyPrecedes(b) ? -1 : b.lexicographicallyPrecedes(a) ? 1 : 0
  }

  private var sortRank: Int {
    switch self {
    case .null: 0
    case .boolean: 1
    case .integer, .number: 2
    case .string, .bytes: 3
    case .object: isNil ? 0 : 4
    }
  }
}
