import TideGraph

/// Callbacks that the app sets on its binding table. All are nil for a graph without an app.
package struct BindingHooks {
  /// Called with every error as it is listed, for logs and displays.
  package var onError: ((TideError) -> Void)?
  /// Called when fewer errors are listed than before.
  package var onRecovery: (() -> Void)?
  /// Called instead of `onError` with the errors of bindings; nil: `onError` is called.
  package var onBindingFailure: ((TideError) -> Void)?
  /// The location of the running script code.
  package var currentLocation: (() -> SourceLocation?)?
  /// The name of an object in paths, such as a controller's; nil if it has none.
  package var nameOfObject: ((DataObject) -> String?)?
  /// Whether an object is an element of a model's list; nil without models.
  package var isListed: ((Value) -> Bool)?
  /// The location for a location ID of the graph's history.
  package var locationForID: ((UInt32) -> SourceLocation?)?
  /// Converts a script's function or path to a function of rows.
  package var rowFunctions: ((AnyObject) -> RowClosures?)?
  /// Makes a factory for the class that a script gave a controller; nil for a value that is not a
  /// class.
  package var objectMaker: ((AnyObject) -> (() throws -> Value)?)?
  /// Schedules a call of `endTurn` for the end of the running turn; nil without a runtime.
  package var awaitTurnEnd: (() -> Void)?
  /// Throws for text that exceeds the memory limit.
  package var noteMemory: ((_ bytes: Int) throws -> Void)?
  /// Charges memory that stays allocated. If this exceeds the limit, the next request fails.
  package var oweMemory: ((_ bytes: Int) -> Void)?
}

/// State that a higher layer attaches to a table for its app.
package protocol AppAttachment: AnyObject {
  /// Discards the state of an app that has ended.
  func endApp()
}
