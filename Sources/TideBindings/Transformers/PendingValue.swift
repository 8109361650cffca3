import TideGraph
package import TideValues

/// A value that has not arrived yet. A transformer that has to wait throws it instead of a value.
///
/// ```swift
/// throw PendingValue { table, completion in
///   let timer = try table.clock(for: "…").schedule(after: 1, repeating: false) {
///     completion(.success("late"))
///   }
///   return { timer.cancel() }
/// }
/// ```
///
/// A caller that can wait begins it. A pending value that is never begun is abandoned.
// Unchecked, because it never leaves its thread; errors must be sendable nevertheless.
package final class PendingValue: Error, @unchecked Sendable {
  package typealias Completion = (Result<Value, any Error>) -> Void
  /// Calls the completion exactly once, asynchronously, on the graph's thread. Returns a function
  /// that cancels this.
  package typealias Start = (BindingTable, @escaping Completion) throws -> () -> Void

  private let start: Start
  private let abandon: () -> Void
  /// The functions to apply to the value when it has arrived.
  private var rest: ArraySlice<AnyTransformer.Function> = []
  private var stop: (() -> Void)?
  private var hasBegun = false

  /// - Parameter abandon: ends work that has been begun already, if nothing waits for it.
  package init(abandon: @escaping () -> Void = {}, _ start: @escaping Start) {
    self.start = start
    self.abandon = abandon
  }

  deinit {
    if !hasBegun { abandon() }
    stop?()
  }

  /// Adds transformers to apply to the value.
  func then(_ functions: ArraySlice<AnyTransformer.Function>) -> PendingValue {
    rest += functions
    return self
  }

  /// Calls the completion with the value when it has arrived, unless it is cancelled.
  func begin(in table: BindingTable, _ completion: @escaping Completion) throws {
    hasBegun = true
    stop = try start(table) { [weak self, unowned table] result in
      guard let self, let stop = self.stop else { return }
      withExtendedLifetime(stop) { self.stop = nil }
      goOn(with: result, in: table, completion)
    }
  }

  private func goOn(
    with result: Result<Value, any Error>, in table: BindingTable,
    _ completion: @escaping Completion
  ) {
    do {
      var value = try result.get()
      while let function = rest.popFirst(), !value.isStateMarker {
        do {
          value = try function(value)
        } catch let next as PendingValue {
          // The next value is pending; from now on this one represents it.
          try next.then(rest).begin(in: table, completion)
          rest = []
          stop = { next.cancel() }
          return
        }
      }
      completion(.success(value))
    } catch {
      completion(.failure(error))
    }
  }

  /// Drops the value, whether or not it has arrived.
  func cancel() {
    hasBegun = true
    abandon()
    let stopping = stop
    stop = nil
    stopping?()
  }
}
