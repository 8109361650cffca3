import TideGraph

/// The listed error of a row function, such as a cell function or a filter. It stays listed until
/// the function succeeds; rows that fail alike share one report.
///
/// ```swift
/// let failure = FunctionFailure(in: .of(graph))
/// failure.note(error, at: FailureSite(view: "list", row: .init(number: 2, title: "fig")))
/// failure.clear()
/// ```
///
/// Releasing the last reference clears the error, too.
package final class FunctionFailure {
  private let table: BindingTable
  private let number: UInt64

  package init(in table: BindingTable) {
    self.table = table
    table.functionFailures.count += 1
    number = table.functionFailures.count
  }

  deinit { clear() }

  /// The listed error; nil after success.
  package var error: TideError? { table.functionFailures.errors[number] }

  /// Lists an error in place of the former one. Returns the error if it must be reported: no other
  /// row has the same one.
  @discardableResult
  package func note(
    _ error: any Error, at site: FailureSite, code: TideError.Code = .observer
  ) -> TideError? {
    let former = self.error
    var found = table.shortened(TideError(wrapping: error, graph: table.graph, code: code))
    found.site = site
    if let former, former.message == found.message, former.location == found.location,
      former.site == site
    {
      return nil
    }
    table.entries += 1
    found.entry = table.entries
    table.functionFailures.errors[number] = found
    // Adds before removing, so that the same mistake in another row is not reported as new.
    let isNew = table.tally.add(found)
    if let former { table.tally.remove(former) }
    return isNew ? found : nil
  }

  /// Updates the location after the row has moved.
  package func move(to site: FailureSite) {
    guard var error, error.site != site else { return }
    // The tally ignores row numbers; it only distinguishes whether there is a row.
    error.site = site
    table.functionFailures.errors[number] = error
  }

  /// Clears the error after a success.
  package func clear() { table.removeFunctionFailure(number) }
}

/// The errors of row functions, by the numbers of their ``FunctionFailure``s.
struct FunctionFailures {
  var errors: [UInt64: TideError] = [:]
  var count: UInt64 = 0

  /// The errors, oldest first.
  var listed: [TideError] { errors.sorted { $0.key < $1.key }.map(\.value) }
}

extension BindingTable {
  fileprivate func removeFunctionFailure(_ number: UInt64) {
    guard let error = functionFailures.errors.removeValue(forKey: number) else { return }
    if tally.remove(error) { hooks.onRecovery?() }
  }

  func clearFunctionFailures(where isOver: (TideError) -> Bool) {
    for (number, error) in functionFailures.errors where isOver(error) {
      removeFunctionFailure(number)
    }
  }

  /// Reports an already listed error to the app.
  package func tell(of error: TideError) { report(error) }
}
