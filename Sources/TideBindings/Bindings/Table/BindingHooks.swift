import TideGraph

/// What the app around a table of bindings lends it; a graph without an app has none of it.
package struct BindingHooks {
  /// Called with every error as it is listed, for logs and displays.
  package var onError: ((TideError) -> Void)?
  /// Called when fewer errors are listed than before.
  package var onRecovery: (() -> Void)?
  /// Called instead of `onError` with the errors of bindings; nil: `onError` is called.
  package var onBindingFailure: ((TideError) -> Void)?
  /// The location in a script of the code that is making something.
  package var currentLocation: (() -> SourceLocation?)?
  /// The name by which paths find an object, such as a controller's; nil for one without.
  package var nameOfObject: ((DataObject) -> String?)?
  /// The location for a number of the graph's history.
  package var locationForID: ((UInt32) -> SourceLocation?)?
  /// Converts a script's function or path to a function of rows.
  package var rowFunctions: ((AnyObject) -> RowClosures?)?
  /// Makes a factory for the class that a script gave a controller; nil for a value that is not a
  /// class.
  package var objectMaker: ((AnyObject) -> (() throws -> Value)?)?
  /// Schedules a call of `endTurn` for the end of the running turn; nil without a runtime, which
  /// has the turns.
  package var awaitTurnEnd: (() -> Void)?
  /// Throws for text that exceeds the memory limit.
  package var noteMemory: ((_ bytes: Int) throws -> Void)?
  /// Charges memory that is held from now on; the next request fails if that was too much.
  package var oweMemory: ((_ bytes: Int) -> Void)?
}

/// What a layer above keeps for the app of a table.
package protocol AppAttachment: AnyObject {
  /// Forgets what the app has left behind.
  func endApp()
}
