import TideGraph

/// A derived list whose function reads a path of each element. If one element fails, the whole
/// fails.
class ElementList: DerivedList, ListSummary {
  let reader: ElementReader
  /// Rows whose element cannot be read.
  private var failing: Set<RowOrder.Row> = []

  typealias Reading = (_ value: Value) throws -> Value

  /// - Parameter keep: converts a value that was read to the value that is stored.
  init(
    _ source: ValueList, _ reader: ElementReader, keeping keep: @escaping Reading = { $0 }
  ) {
    self.reader = reader
    super.init(source) { element, memory in
      do {
        return try keep(reader.value(of: element, keeping: &memory))
      } catch {
        if (error as? any PassingFailure)?.isPassing == true { throw error }
        return .object(Failure(error))
      }
    }
  }

  /// The error of reading a row, in place of a value.
  private final class Failure {
    let error: any Error

    init(_ error: any Error) { self.error = error }
  }

  /// The value of a row; nil while the row fails.
  final func value(of row: RowOrder.Row) -> Value {
    let result = rows.results[Int(row)]
    guard case .object(let object) = result, object is Failure else {
      forget(row)
      return result
    }
    failing.insert(row)
    markChanged()
    return .null
  }

  final var summarized: ValueList { source }

  final func forget(_ row: RowOrder.Row) {
    if !failing.isEmpty && failing.remove(row) != nil { markChanged() }
  }

  final func forgetAll() { failing = [] }

  final func result() throws -> Value {
    beginReading()
    if let row = failing.first, case .object(let object) = rows.results[Int(row)],
      let failure = object as? Failure
    {
      throw failure.error
    }
    return try summary()
  }

  /// The result if every element can be read.
  func summary() throws -> Value { .object(self) }
}
