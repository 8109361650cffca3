import TideGraph
package import TideValues

/// A value that is not there yet: what a transformer throws in its place when it has to wait.
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
/// Whoever can wait begins it; one that nobody begins is abandoned.
// Unchecked, because it never leaves its thread; errors have to be sendable all the same.
package final class PendingValue: Error, @unchecked Sendable {
  package typealias Completion = (Result<Value, any Error>) -> Void
  /// Sees to it that the completion is called once, on the graph's thread and not before it has
  /// returned; gives what takes that back.
  package typealias Start = (BindingTable, @escaping Completion) throws -> () -> Void

  private let start: Start
  private let abandon: () -> Void
  /// What is applied to the value when it has come.
  private var rest: ArraySlice<AnyTransformer.Function> = []
  private var stop: (() -> Void)?
  private var hasBegun = false

  /// - Parameter abandon: ends what has been begun already, where nobody waits.
  package init(abandon: @escaping () -> Void = {}, _ start: @escaping Start) {
    self.start = start
    self.abandon = abandon
  }

  deinit {
    if !hasBegun { abandon() }
    stop?()
  }

  /// The same, with transformers after it.
  func then(_ functions: ArraySlice<AnyTransformer.Function>) -> PendingValue {
    rest += functions
    return self
  }

  /// Calls the completion with the value when it is there, unless it is cancelled.
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
          // Another one waits: this one stands for it from now on.
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

  /// Drops the value, whenever it comes.
  func cancel() {
    hasBegun = true
    abandon()
    let stopping = stop
    stop = nil
    stopping?()
  }
}
