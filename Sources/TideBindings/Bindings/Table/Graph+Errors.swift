public import TideGraph
import TideSystem

extension Graph {
  /// Called with every error as it is listed: of bindings, observers and effects, of values that
  /// were refused, of loops that do not settle, and of writes from where the graph's objects may
  /// not be written. For programs without a runtime, which has an `onError` of its own.
  ///
  /// ```swift
  /// person.graph.onError = { error in print(error) }
  /// ```
  ///
  /// It is called on the thread where the error came about; that of a refused write is not the
  /// graph's. Where nobody is told of errors, debug builds write them to standard error.
  public var onError: (@Sendable (TideError) -> Void)? {
    get { BindingTable.of(self).errorHandler.withLock { $0 } }
    set { BindingTable.of(self).errorHandler.withLock { $0 = newValue } }
  }
}

extension BindingTable {
  /// Tells those of an error who want to know.
  func tell(_ error: TideError) {
    let handler = errorHandler.withLock { $0 }
    handler?(error)
    hooks.onError?(error)
    #if DEBUG
      if handler == nil, hooks.onError == nil {
        var line = "tidelock: \(error)\n"
        line.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
      }
    #endif
  }

  /// Tells of a write that was refused because it came from elsewhere; any thread may call it.
  func tellOfForeignWrite(_ error: TideError) { errorHandler.withLock { $0 }?(error) }
}
