import TideGraph

/// An entry of a map as an expression writes it: `ok: green`, `0..59: low`, `else: red`.
package struct MapEntry: Equatable {
  package enum Key: Equatable {
    case value(Value)
    /// A range of numbers with its bounds. A bound that is nil is open.
    case range(from: Double?, through: Double?)
    case otherwise
  }

  package var key: Key
  package var result: Value

  package init(_ key: Key, _ result: Value) {
    self.key = key
    self.result = result
  }
}

extension MapEntry: CustomStringConvertible {
  package var description: String {
    let key =
      switch key {
      case .value(let value): TransformCall.literal(value)
      case .range(let low, let high): Self.text(of: low) + ".." + Self.text(of: high)
      case .otherwise: "else"
      }
    return "\(key): \(TransformCall.literal(result))"
  }

  private static func text(of bound: Double?) -> String {
    guard let bound else { return "" }
    return Int(exactly: bound).map { "\($0)" } ?? "\(bound)"
  }
}

/// A transformer that looks up values. It is reversible if it has no ranges and no two keys have
/// the same result.
package struct ValueMap {
  private let results: [Key: Value]
  private let ranges: [(low: Double, high: Double, result: Value)]
  private let otherwise: Value?
  /// The keys by their results; nil if the map is not reversible.
  private let keys: [Key: Value]?

  /// Values that are equal for scripts are one key.
  private enum Key: Hashable {
    case null
    case boolean(Bool)
    case integer(Int)
    case number(Double)
    case text(DictionaryKey)

    init?(_ value: Value) {
      switch value {
      case .null: self = .null
      case .boolean(let flag): self = .boolean(flag)
      case .integer(let integer): self = .integer(integer)
      case .number(let number): self = Int(exactly: number).map { .integer($0) } ?? .number(number)
      case .string, .bytes:
        guard let key = DictionaryKey(value) else { return nil }
        self = .text(key)
      case .object:
        if !value.isNil { return nil }
        self = .null
      }
    }
  }

  /// - Throws: `badArgument` for a key that is neither a text, a number, true, false nor nil, or
  ///   that occurs twice.
  package init(_ entries: [MapEntry]) throws(TideError) {
    var results: [Key: Value] = [:]
    var keys: [Key: Value] = [:]
    var ranges: [(low: Double, high: Double, result: Value)] = []
    var otherwise: Value?
    var isReversible = true
    for entry in entries {
      switch entry.key {
      case .value(let value):
        guard let key = Key(value) else {
          throw TideError(
            .badArgument, "a map's keys are texts, numbers, true and false, not \(value.shown)")
        }
        if results.updateValue(entry.result, forKey: key) != nil {
          throw TideError(.badArgument, "a map has the key \(value.shown) twice")
        }
        if let result = Key(entry.result), keys.updateValue(value, forKey: result) == nil {
          continue
        }
        isReversible = false
      case .range(let low, let high):
        ranges.append((low ?? -.infinity, high ?? .infinity, entry.result))
        isReversible = false
      case .otherwise:
        if otherwise != nil { throw TideError(.badArgument, "a map has one \"else\"") }
        otherwise = entry.result
      }
    }
    self.results = results
    self.ranges = ranges
    self.otherwise = otherwise
    self.keys = isReversible ? keys : nil
  }

  /// - Parameter name: the name in messages.
  package func transformer(_ name: String) -> AnyTransformer {
    AnyTransformer(
      name, { try result(for: $0, in: name) },
      reverse: keys.map { keys in
        { value in
          if let key = Key(value).flatMap({ keys[$0] }) { return key }
          if value.isNil { return .null }
          throw TideError(.refused, "\"\(name)\" gives \(value.shown) for nothing")
        }
      })
  }

  private func result(for value: Value, in name: String) throws(TideError) -> Value {
    if let result = Key(value).flatMap({ results[$0] }) { return result }
    if !ranges.isEmpty {
      let number: Double? =
        switch value {
        case .integer(let integer): Double(integer)
        case .number(let number): number
        default: nil
        }
      if let number, let range = ranges.first(where: { $0.low <= number && number <= $0.high }) {
        return range.result
      }
    }
    if let otherwise { return otherwise }
    if value.isNil { return .null }
    throw TideError(
      .transformer, "the transformer \"\(name)\" has no entry for \(value.shown), and no \"else\"")
  }
}
