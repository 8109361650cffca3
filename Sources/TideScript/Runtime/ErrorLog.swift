public import TideBindings
import TideLua
import TideViews

/// Counts the errors that are listed, reports them, and limits the lines that scripts log.
package final class ErrorLog {
  /// The number of errors listed since the start, including fixed ones.
  var count = 0
  /// Limits the lines that scripts log.
  var gate: LogGate
  /// Lines that a warning about blocking has been listed for.
  var blockingLines: Set<SourceLocation> = []
  /// Called with every error as it is listed; set by the host, and by the code that runs the app.
  var onError: ((TideError) -> Void)?
  package var onListing: ((TideError) -> Void)?
  /// Why the last reload was rejected; nil after a successful reload.
  package var rejectedReload: TideError?
  /// Whether a person whose act fails is informed, with the number of the error in the log. It is
  /// true if the app shows no errors.
  var tellsPeople = false

  static let mostBlockingLines = 1000

  init(lines: Int) { gate = LogGate(limit: lines) }
}

extension Runtime {
  /// Current failures, and errors of single events.
  public var errors: [TideError] { table.errors }

  /// Input that bindings cannot accept. It is shown at the fields, is not part of `errors`, and is
  /// removed when it is fixed or discarded.
  public var errorsOfEdits: [TideError] { table.errorsOfEdits }

  /// The number of errors listed since the start, including fixed ones.
  package var listedErrors: Int { errorLog.count }

  /// - Parameter context: the context of the function that failed, if known.
  @discardableResult
  func list(_ error: any Error, of context: BindingContext? = nil) -> TideError? {
    if error is ExitRequest || (error as? TideError)?.cause is ExitRequest { return nil }
    if isInterpreterClosed, exitCode != nil { return nil }
    // Errors of rejected input were thrown to the caller, and are shown at the field.
    if (error as? TideError)?.isOfEdit == true { return nil }
    return table.list(error, of: context)
  }

  /// Lists an error that kept data causes. It does not reject a reload.
  @discardableResult
  package func listKeptData(_ error: any Error) -> TideError {
    let rollback = loader.rollback
    rollback?.isListingKeptData = true
    defer { rollback?.isListingKeptData = false }
    return table.list(error)
  }

  /// Reports an error that has been listed.
  package func note(_ error: TideError) {
    if error.cause is ExitRequest { return }
    if error.code == .unknownView, views.viewsToShow != nil {
      views.viewsToShow?.append(error)
    } else {
      tell(error)
    }
  }

  /// Lists, once for each line, that a task calls a blocking function.
  func noteBlocking(by function: String) {
    // Before the app runs, nothing waits for it.
    guard loader.hasFinished, let location,
      errorLog.blockingLines.count < ErrorLog.mostBlockingLines,
      errorLog.blockingLines.insert(location).inserted
    else { return }
    list(
      TideError(
        .blocking,
        "\(function) blocks: nothing of the app goes on until the program has answered; "
          + "process.run waits for it and lets the app go on", location: location))
  }

  func tell(_ error: TideError) {
    // A blocking call is no failure and does not change the exit code.
    if error.code != .blocking { errorLog.count += 1 }
    let logged = tellingPerson(of: error)
    configuration.log(logged)
    onError?(logged)
    errorLog.onListing?(error)
    if isInterpreterClosed { exit(1) }
  }

  /// Informs the person whose act has failed. Returns the error as the log lists it.
  private func tellingPerson(of error: TideError) -> TideError {
    guard errorLog.tellsPeople, error.code != .blocking, let scene, let actor = scene.actor else {
      return error
    }
    let number = errorLog.count
    scene.tell(translation(of: "That failed; the log lists it as error %d.", number), actor)
    var logged = error
    logged.message += " (error \(number), as viewer \(actor.number) was told)"
    return logged
  }

  /// Whether a person whose act fails is informed, for pages that show no errors.
  package var tellsPeopleOfErrors: Bool {
    get { errorLog.tellsPeople }
    set { errorLog.tellsPeople = newValue }
  }

  /// Whether the interpreter was abandoned while the app runs, because a script could not be
  /// stopped otherwise. Every later call fails; after the first error these failures are not
  /// listed.
  var isInterpreterClosed: Bool { !lua.isOpen }

  /// Ends an app whose interpreter was abandoned.
  ///
  /// The error was thrown only to the host, prompt or inspector that made the call, so the app's
  /// log gets one that explains the end.
  func endWithInterpreter() {
    guard exitCode == nil else { return }
    table.list(
      TideError(
        .scriptTime,
        "a call from outside took too long in one operation that nothing could stop, so the "
          + "interpreter is closed, and the app ends"))
  }
}
