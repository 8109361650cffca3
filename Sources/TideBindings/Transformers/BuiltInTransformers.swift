import TideGraph

/// The built-in transformers.
///
/// Nil passes through all of them unchanged, except those that concern nil: `isNil`, `isNotNil`,
/// `default`, `not`, `equals`, `choose` and `map`.
enum BuiltInTransformers {
  struct Entry: Sendable {
    /// Its notation, for messages.
    var usage: String
    /// A one-sentence description.
    var summary: String
    /// A call with arguments, if it takes any.
    var example: String?
    var counts: ClosedRange<Int>
    var build: @Sendable (TransformerArguments) throws(TideError) -> AnyTransformer

    /// Whether it takes entries such as `ok: green` in place of arguments.
    var takesEntries = false

    func make(_ arguments: TransformerArguments) throws(TideError) -> AnyTransformer {
      if !takesEntries { try arguments.require(counts) }
      return try build(arguments)
    }
  }

  static let table: [String: Entry] = {
    var table: [String: Entry] = [:]
    for group in [logic, maps, conversions, text, numbers, money, dates, lists] {
      table.merge(group) { first, _ in first }
    }
    return table
  }()

  /// A transformer that passes nil unchanged.
  static func passingNil(
    _ name: String, _ forward: @escaping AnyTransformer.Function,
    reverse: AnyTransformer.Function? = nil
  ) -> AnyTransformer {
    AnyTransformer(
      name, { $0.isNil ? .null : try forward($0) },
      reverse: reverse.map { reverse in { $0.isNil ? .null : try reverse($0) } })
  }

  static func ofText(
    _ name: String, _ summary: String,
    _ change: @escaping @Sendable (String) throws -> String
  ) -> Entry {
    Entry(usage: name, summary: summary, counts: 0...0) { (_) throws(TideError) in
      AnyTransformer(
        name,
        { value in
          if case .string(let text) = value { return .string(try change(text)) }
          return value.isNil ? .null : .string(try change(value.text ?? ""))
        })
    }
  }
}
