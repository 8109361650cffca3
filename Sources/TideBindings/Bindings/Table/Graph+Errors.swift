public import TideGraph
import TideSystem

extension Graph {
  /// Called with each error when it is listed: failed bindings, observers and effects, rejected
  /// values, loops that do not settle, and writes by a caller that is not the graph's owner. For
  /// programs without a runtime; a runtime has an `onError` of its own.
  ///
  /// ```swift
  /// person.graph.onError = { error in print(error) }
  /// ```
  ///
  /// Set it where the graph's owner runs. It is called on the thread where the error occurs; for a
  /// refused write that is not the owner's thread. Without a handler, debug builds write errors to
  /// standard error.
  public var onError: (@Sendable (TideError) -> Void)? {
    get { BindingTable.of(self).errorHandler.withLock { $0 } }
    set { BindingTable.of(self).errorHandler.withLock { $0 = newValue } }
  }
}

extension BindingTable {
  /// Reports an error to the graph's handler and to the app.
  func report(_ error: TideError) {
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

  /// Reports a write that was refused because the caller is not the graph's owner. Callable on any
  /// thread.
  func reportRefusedWrite(_ error: TideError) { errorHandler.withLock { $0 }?(error) }
}
