import TideGraph
package import TideValues

/// The arguments of a transformer in an expression. They are checked when they are read.
package struct TransformerArguments {
  package let values: [Value]
  /// The entries of a map, or of another transformer that takes entries.
  let entries: [MapEntry]
  /// The notation of the transformer: `clamp(lo, hi)`.
  let usage: String
  /// The clock of the program, which tests replace.
  let now: () -> Double

  /// The language of the program, read at each use.
  let language: AppLanguage

  init(
    _ call: TransformCall, usage: String, now: @escaping () -> Double, language: AppLanguage
  ) {
    self.language = language
    values = call.arguments
    entries = call.entries
    self.usage = usage
    self.now = now
  }

  package var count: Int { values.count }

  /// Throws if the number of arguments is wrong for the transformer.
  func require(_ counts: ClosedRange<Int>) throws(TideError) {
    try refuseEntries()
    if counts.contains(values.count) { return }
    let wanted =
      counts.upperBound == 0
      ? "no arguments"
      : counts.count == 1
        ? "\(counts.lowerBound) argument\(counts.lowerBound == 1 ? "" : "s")"
        : "\(counts.lowerBound) to \(counts.upperBound) arguments"
    throw TideError(.badArgument, "\(usage) takes \(wanted), not \(values.count)")
  }

  /// Throws for entries such as `ok: green`, which only transformers such as `map` take.
  func refuseEntries() throws(TideError) {
    guard let entry = entries.first else { return }
    throw TideError(
      .badArgument, "\(usage) takes no \"\(entry)\"; values with results are for map(\(entry))")
  }

  subscript(index: Int) -> Value { values.indices.contains(index) ? values[index] : .null }

  func number(_ index: Int) throws(TideError) -> Value {
    switch self[index] {
    case .integer, .number: return self[index]
    default: throw mismatch(index, wanted: "a number")
    }
  }

  /// A whole number within bounds, or the default if the argument is missing.
  func integer(
    _ index: Int, in range: ClosedRange<Int>, default fallback: Int
  ) throws(TideError) -> Int {
    if index >= values.count { return fallback }
    let wanted = "a whole number from \(range.lowerBound) to \(range.upperBound)"
    let integer: Int?
    switch self[index] {
    case .integer(let given): integer = given
    case .number(let given): integer = Int(exactly: given)
    default: integer = nil
    }
    guard let integer, range.contains(integer) else { throw mismatch(index, wanted: wanted) }
    return integer
  }

  /// A text. A number or a boolean is accepted as it is written.
  func text(_ index: Int) throws(TideError) -> String {
    switch self[index] {
    case .null, .object: throw mismatch(index, wanted: "a text")
    default: return self[index].text ?? ""
    }
  }

  func mismatch(_ index: Int, wanted: String) -> TideError {
    TideError(
      .badArgument, "argument \(index + 1) of \(usage) must be \(wanted), not \(self[index].shown)")
  }
}
