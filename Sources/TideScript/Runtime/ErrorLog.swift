public import TideBindings
import TideLua
import TideViews

/// Counts the errors that are listed, reports them, and limits the lines that scripts log.
package final class ErrorLog {
  /// How many errors have been listed since the start, fixed ones included.
  var count = 0
  /// Limits the lines that scripts log.
  var gate: LogGate
  /// The lines that have been told that they block.
  var blockingLines: Set<SourceLocation> = []
  /// Called with every error as it is listed; set by the host, and by the code that runs the app.
  var onError: ((TideError) -> Void)?
  package var onListing: ((TideError) -> Void)?
  /// Why the last reload was rejected; nil once one succeeds.
  package var rejectedReload: TideError?
  /// Whether a person whose act fails is told so, with the number of the error in the log. It is
  /// true where the app shows no errors.
  var tellsPeople = false

  static let mostBlockingLines = 1000

  init(lines: Int) { gate = LogGate(limit: lines) }
}

extension Runtime {
  /// What has failed and still does, and what failed once.
  public var errors: [TideError] { table.errors }

  /// What people have entered that bindings cannot take: it shows at the fields, is not among
  /// `errors`, and is gone when it is fixed or discarded.
  public var errorsOfEdits: [TideError] { table.errorsOfEdits }

  /// How many errors have been listed since the start, fixed ones included.
  package var listedErrors: Int { errorLog.count }

  /// - Parameter context: that of the function which has failed, where that is known.
  @discardableResult
  func list(_ error: any Error, of context: BindingContext? = nil) -> TideError? {
    if error is ExitRequest || (error as? TideError)?.cause is ExitRequest { return nil }
    if isInterpreterClosed, exitCode != nil { return nil }
    // Errors of rejected input were thrown to the caller, and are shown at the field.
    if (error as? TideError)?.isOfEdit == true { return nil }
    return table.list(error, of: context)
  }

  /// Tells of an error that has been listed.
  package func note(_ error: TideError) {
    if error.cause is ExitRequest { return }
    if error.code == .unknownView, views.viewsToShow != nil {
      views.viewsToShow?.append(error)
    } else {
      tell(error)
    }
  }

  /// Lists, once for each line, that a task calls what lets the app stand still.
  func noteBlocking(by function: String) {
    // What runs before the app does has nobody to keep waiting.
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
    // The program works, and ends as one that does.
    if error.code != .blocking { errorLog.count += 1 }
    let logged = tellingPerson(of: error)
    configuration.log(logged)
    onError?(logged)
    errorLog.onListing?(error)
    if isInterpreterClosed { exit(1) }
  }

  /// Tells the person whose act has failed. Returns the error as the log lists it.
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

  /// Whether a person whose act fails is told so; for pages that show no errors.
  package var tellsPeopleOfErrors: Bool {
    get { errorLog.tellsPeople }
    set { errorLog.tellsPeople = newValue }
  }

  /// Whether the interpreter was abandoned while the app runs, because a script could not be
  /// stopped otherwise. Every call fails then; after the error that said so these failures are not
  /// listed.
  var isInterpreterClosed: Bool { !lua.isOpen }

  /// Ends the app, whose interpreter was abandoned.
  ///
  /// Where a host, a prompt or an inspector made the call, only they got the error. The app's own
  /// log says why it ends.
  func endWithInterpreter() {
    guard exitCode == nil else { return }
    tell(
      TideError(
        .scriptTime,
        "a call from outside took too long in one operation that nothing could stop, so the "
          + "interpreter is closed, and the app ends"))
  }
}
