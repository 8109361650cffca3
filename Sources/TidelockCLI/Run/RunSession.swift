import Logging
import TideBindings
import TideCheck
import TideLua
import TideREPL
import TideReload
import TideScript
import TideSystem
import TideTest
import TideViews

/// One run of an app, from reading its script to the exit code.
///
/// The extensions contain the ways to run it, such as `+Terminal` and `+Headless`.
final class RunSession {
  let file: String
  let options: RunOptions
  let reporter: Reporter
  let output = StandardOutput()
  /// The exit status, if it is determined by neither the script nor listed errors.
  var ending: ExitStatus?
  /// Whether the program itself ended the app, so that the listed errors determine the exit code.
  private var isFinished = false
  /// The server for attached prompts; nil if it could not be started.
  private(set) var attachments: AttachServer?
  private(set) var lastReport: ReloadReport?
  /// Whether an attached program is asking for a reload, and whether one has asked for the last.
  private var isAskedToReload = false
  private(set) var wasAskedToReload = false
  /// Errors listed before a terminal shows the app; nil if errors are reported at once.
  private var earlyErrors: [TideError]?
  /// The app that inspectors in browsers examine.
  var inspected: InspectedApp?
  /// The private sessions that inspectors examine instead; nil without private sessions or
  /// inspectors.
  var inspectedSessions: InspectedSessions?
  let wall: AppConfinement
  /// Creates the browser display, for developers or for others; nil for none.
  var makePages: ((_ isDeveloping: Bool) throws -> any PageService)?
  /// Whether to start a browser.
  var opensBrowser = false
  /// Whether the app is shown only in browsers.
  var isServedAlone = false
  /// The connection for shared models; nil without a server.
  var sharing: Sharing?
  /// The output options of a profile; nil without profiling.
  var profiling: ProfileOptions?
  /// The output file of the picture; nil for standard output.
  private(set) var picture: PictureFile?
  /// The path of the recording; nil to record nothing.
  var castPath: String?
  private var cast: CastFile?

  /// - Parameter isWorker: whether it runs in a worker process, without a socket for prompts.
  init(file: String, options: RunOptions, isWorker: Bool = false) {
    self.file = file
    self.options = options
    wall = AppConfinement(
      options.runtime.confine, file: file, access: options.runtime.allowances.access,
      sharing: options.runtime.sharing, hasSocket: !isWorker, keepsSettings: !isWorker)
    reporter = Reporter(style: options.color.style, isJSON: options.json, file: file)
  }

  var isLive: Bool {
    !options.endsWithPicture && !isServedAlone && options.driven == nil
      && StandardStreams.keyboard != nil
  }
  var isWatching: Bool { options.watch ?? isLive }

  func run() -> ExitStatus {
    if isLive, StandardStreams.isDumb {
      reporter.report(
        TideError(
          .output,
          "the terminal cannot move its cursor, as TERM=dumb says; set TERM to its name, such as "
            + "xterm-256color, or print a picture with --snapshot"))
      return .unavailable
    }
    if isWatching { WorkingFolder.follow() }
    locateMistakes()
    do {
      try wall.prepare()
      do { sharing = try Sharing.make(options.runtime.sharing, of: file) } catch {
        reporter.report(error)
        return .unavailable
      }
      defer { sharing?.end() }
      let runtime: Runtime
      do {
        runtime = try Runtime(file: file, configuration: configuration())
        try watchSignals(of: runtime)
      } catch let error as LuaError where error.kind == .runtime {
        // The failing call was made by the program itself, for a folder that cannot be allowed.
        reporter.report(TideError(.badArgument, "--allow: \(error.message)"))
        return .usage
      }
      return try run(runtime)
    } catch {
      reporter.report(error)
      return ending ?? .fault
    }
  }

  /// Gives errors of scripts the codes and locations that `check` reports.
  private func locateMistakes() {
    let access = options.runtime.allowances.access
    let locator = MistakeLocator { try ScriptCheck(access: access, sql: CheckedAppOptions.sql) }
    ErrorLocator.use { locator.mistake(of: $0) }
  }

  private func run(_ runtime: Runtime) throws -> ExitStatus {
    // At the end, the unresolved ones are written to the terminal.
    if isLive, StandardStreams.showsErrors { earlyErrors = [] }
    defer { reportEarlyErrors() }
    runtime.onError = { [unowned self] in
      if earlyErrors?.append($0) == nil { reporter.report($0) }
    }
    output.onFailure = { [unowned self, unowned runtime] reason in
      stop(runtime, becauseOutputFailed: reason)
    }
    let reloader = Reloader(runtime)
    let script = SettingsFolder.wholePath(of: file)
    let display: (any PageService)?
    do { display = try makePages?(isWatching) } catch {
      reporter.report(error)
      return .unavailable
    }
    let isPrivate = display?.isPrivate == true
    // With private sessions there is no common app to inspect.
    let socket = isPrivate ? nil : listen(runtime, script)
    let browser = display == nil ? nil : startBrowser()
    if let display { wall.serve(display.listener) }
    if let file = options.snapshotSVG, file != "-" {
      let picture = PictureFile(file)
      wall.write(picture)
      self.picture = picture
    }
    if let castPath {
      do {
        let cast = try CastFile(castPath, title: RunningApp.name(ofScript: script))
        cast.onFailure = { [unowned self] in
          reporter.report($0)
          ending = ending ?? .errorsListed
        }
        self.cast = cast
      } catch {
        reporter.report(error)
        return .errorsListed
      }
    }
    defer { cast?.end(size: options.size.size) }
    let profile = profiling.map { ProfileOutput($0, behind: wall) }
    // After creating the socket, which confinement prevents, and before creating a second thread,
    // which would slow it down.
    do { try wall.raise(runtime.configuration.logger) } catch {
      reporter.report(error)
      return .unavailable
    }
    defer { wall.tidy() }
    if let socket { serve(runtime, reloader, socket, script, display) }
    if let display {
      if let inspectedSessions {
        display.show(inspectedSessions)
      } else if isWatching, !isPrivate {
        let inspected = InspectedApp(runtime, name: RunningApp.name(ofScript: script))
        self.inspected = inspected
        display.show(inspected)
      }
      try display.start(for: runtime)
      output.writeLine(display.url)
      if let url = display.inspectorURL { output.writeLine(url) }
      if isServedAlone { output.writeLine(Self.kind(ofSessionsArePrivate: isPrivate)) }
      browser?.begin(display.oneTimeURL)
    }
    // A stopped server may be restarted soon.
    defer { display?.stop(isForGood: ending == nil) }
    if isPrivate {
      try runPrivately(runtime)
      return status(of: runtime)
    }
    defer { inspected?.end() }
    defer { attachments?.stop(exitCode: status(of: runtime).code) }
    // Started before reading files, so that no save is missed.
    if isWatching { reloader.start() }
    defer { reloader.stop() }
    try profile?.begin(runtime)
    let failure = load(runtime)
    if ending == nil, failure == nil { applyAssignments(to: runtime) }
    if ending == nil {
      if isWatching { reloader.start() }
      if let display, !isLive {
        try runServed(runtime, reloader, failure, display)
      } else if isLive, runtime.exitCode == nil || runtime.asksBeforeEnding {
        try runLive(runtime, reloader, failure, display)
      } else {
        reportEarlyErrors()
        try runHeadless(runtime, reloader, failure)
      }
    }
    if let profile { report(profile) }
    runtime.end()
    runtime.finishSharing(within: Self.timeOfSharing)
    cast?.end(size: options.size.size)
    return status(of: runtime)
  }

  /// The renderer, or one that also records what it shows.
  func recorded(_ renderer: any Renderer, in runtime: Runtime) -> any Renderer {
    cast?.recording(renderer, in: runtime) ?? renderer
  }

  /// Draws what has changed since the last frame, if the app is recorded, because it may end before
  /// the next one.
  func recordLastChanges(of runtime: Runtime) {
    if cast != nil { try? runtime.scene?.commit() }
  }

  private func reportEarlyErrors() {
    for error in takeEarlyErrors() { reporter.report(error) }
  }

  /// Returns the errors listed so far. Later ones are reported at once.
  func takeEarlyErrors() -> [TideError] {
    defer { earlyErrors = nil }
    return earlyErrors ?? []
  }

  private func report(_ profile: ProfileOutput) {
    let (text, failure) = profile.end(isJSON: options.json)
    if !text.isEmpty { output.writeLine(text) }
    if let failure {
      reporter.report(failure)
      ending = ending ?? .errorsListed
    }
  }

  /// The time for confirming shared models at the end, in seconds.
  private static let timeOfSharing = 2.0

  /// Makes signals end the app in an orderly way.
  private func watchSignals(of runtime: Runtime) throws {
    let descriptor = Interrupts.endInOrder(runtime.lua.interrupter)
    guard descriptor >= 0 else { return }
    try runtime.loop.watch(descriptor: descriptor) { [unowned self, unowned runtime] in
      takeSignals(runtime)
    }
  }

  /// Ends the app after pending signals.
  func takeSignals(_ runtime: Runtime) {
    while let number = Interrupts.next() { end(runtime, afterSignal: number) }
  }

  private func end(_ runtime: Runtime, afterSignal number: Int32) {
    if number == Interrupts.interrupt {
      end(runtime, .interrupted)
    } else {
      end(runtime, .signal(number), isBound: true)
    }
  }

  /// Loads the script. Returns its error if a save may fix it; other errors end the run.
  private func load(_ runtime: Runtime) -> TideError? {
    do {
      try runtime.load()
      return nil
    } catch {
      // The script was interrupted by a signal, which is reported already.
      takeSignals(runtime)
      if ending != nil { return nil }
      let status = ExitStatus(loading: error)
      if isWatching, status == .scriptError, let failure = error as? TideError { return failure }
      reporter.report(error)
      ending = status
      return nil
    }
  }

  func configuration() -> Runtime.Configuration {
    var configuration = Runtime.Configuration()
    configuration.arguments = options.arguments
    configuration.printBytes = { [unowned self] in
      if attachments?.takes($0) != true { output.writeLine($0) }
    }
    options.runtime.apply(
      to: &configuration, isJSON: options.json,
      writesStores: !options.endsWithPicture && profiling == nil)
    sharing?.apply(to: &configuration)
    configuration.moduleHints = SpecVocabulary.moduleHints
    configuration.settingsFolder = SettingsFolder.path(ofApp: file)
    configuration.keepsSettings = !options.endsWithPicture
    configuration.standardInput = StandardStreams.pipedInput
    return configuration
  }

  /// Creates the socket for prompts; nil on failure, in which case the app runs without it.
  private func listen(_ runtime: Runtime, _ script: String) -> AttachSocket? {
    do {
      let name = RunningApp.name(ofScript: script)
      // A signal may arrive as soon as the file exists.
      Interrupts.remove(RunningApp.own(name).path)
      return try AttachSocket(name: name)
    } catch {
      runtime.configuration.logger?.notice("no prompt can attach: \(error.message)")
      return nil
    }
  }

  /// Starts the server for attached prompts.
  private func serve(
    _ runtime: Runtime, _ reloader: Reloader, _ socket: AttachSocket, _ script: String,
    _ display: (any PageService)?
  ) {
    do {
      let server = try AttachServer(runtime, socket, script: script)
      server.onReload = { [unowned self, unowned runtime] in
        isAskedToReload = true
        defer { isAskedToReload = false }
        try reload($0, runtime, reloader)
        return ""
      }
      server.helpIndex = { PromptHelp.index }
      server.driveHost = driveHost(runtime, script, display)
      server.onReset = { [unowned self, unowned runtime] in
        reset(runtime, reloader)
        if let error = lastReport?.error { throw error }
        return ""
      }
      attachments = server
    } catch {
      runtime.configuration.logger?.notice("no prompt can attach: \(error.message)")
    }
  }

  /// Reloads the app, or one module and its dependents, for an attached prompt.
  private func reload(_ module: String?, _ runtime: Runtime, _ reloader: Reloader) throws {
    guard let module else {
      reloader.reload()
      if let error = lastReport?.error { throw error }
      return
    }
    reloader.onReport(try runtime.reload([module]))
    // The module may have loaded files that are not watched yet.
    if isWatching { reloader.start() }
  }

  /// Reports a reload to the terminal, prompts and inspectors.
  ///
  /// - Parameter write: writes its text; nil for standard error.
  func report(_ report: ReloadReport, to write: ((String) -> Void)? = nil) {
    lastReport = report
    wasAskedToReload = isAskedToReload
    if let write { write(reporter.text(of: report)) } else { reporter.report(report) }
    attachments?.tell(
      report.line, because: report.error.map { Diagnostic($0, in: file).text() })
    inspected?.note(reload: report.line)
  }

  /// Reports to prompts and inspectors that a reload waits for an answer. Returns the message for
  /// others.
  func reportWaiting() -> String {
    attachments?.tell(LivePanes.waiting)
    inspected?.note(reload: LivePanes.waiting)
    return LivePanes.waiting
  }

  /// Applies `--set`, at the start of the app and after a reset.
  func applyAssignments(to runtime: Runtime) {
    if runtime.exitCode != nil { return }
    for assignment in options.start.assignments {
      do {
        try runtime.set(assignment.path, to: assignment.value)
      } catch {
        var failure = error as? TideError ?? TideError(.unexpected, "\(error)")
        failure.message = "--set \(assignment.path)=\(assignment.value): \(failure.message)"
        reporter.report(failure)
        ending = .usage
        return
      }
    }
  }

  /// Calls a function when the app's time has passed, before other due timers.
  func bound(_ runtime: Runtime, _ body: @escaping () -> Void) {
    guard let duration = options.duration else { return }
    runtime.loop.interrupt(after: duration.seconds, body)
  }

  /// Cancels the pending end, because a handler has refused it.
  func forgetEnding() {
    ending = nil
    Interrupts.forget()
  }

  /// Asks the app to end, with an exit code that overrides the script's. A second request ends it
  /// immediately.
  ///
  /// - Parameter isBound: whether the app must end soon, even if a handler refuses.
  func end(_ runtime: Runtime, _ status: ExitStatus, isBound: Bool = false) {
    ending = ending ?? status
    recordLastChanges(of: runtime)
    runtime.exit(0, within: isBound ? Self.timeOfSignal : nil)
  }

  /// Ends the app because its time has passed or its work is done; listed errors determine the exit
  /// code.
  func finish(_ runtime: Runtime) {
    if ending == nil, runtime.exitCode == nil { isFinished = true }
    recordLastChanges(of: runtime)
    runtime.exit(0, within: Self.timeOfSignal)
  }

  /// The time for handlers after a signal, in seconds. The same time again is left for the rest of
  /// the shutdown.
  private static let timeOfSignal = 0.9

  private func stop(_ runtime: Runtime, becauseOutputFailed reason: String) {
    reporter.report(TideError(.output, "standard output cannot be written: \(reason)"))
    end(runtime, .errorsListed, isBound: true)
    // The script may be printing endlessly.
    runtime.lua.interrupter.interrupt()
  }

  private func status(of runtime: Runtime) -> ExitStatus {
    if let ending { return ending }
    if let code = runtime.exitCode, !isFinished { return ExitStatus(code) }
    return runtime.listedErrors > 0 ? .errorsListed : .success
  }
}

extension TideError.Code {
  /// Standard output is closed, full, or no longer read.
  static let output = Self("output", 430)
}
