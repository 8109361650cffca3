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
/// `+Terminal` and `+Headless` are the two ways to run it.
final class RunSession {
  let file: String
  let options: RunOptions
  let reporter: Reporter
  let output = StandardOutput()
  /// Decides the exit code when it is neither the script's nor that of listed errors.
  var ending: ExitStatus?
  /// Whether the program ended the app, so that the listed errors decide.
  private var isFinished = false
  /// What prompts attach to; nil where that cannot be.
  private(set) var attachments: AttachServer?
  private var lastReport: ReloadReport?
  /// What inspectors in browsers look into.
  var inspected: InspectedApp?
  /// The private sessions into which they look instead; nil where there are none, or nobody may.
  var inspectedSessions: InspectedSessions?
  let wall: AppConfinement
  /// Makes what shows the app in browsers, for developers or for others; nil for none.
  var makePages: ((_ isDeveloping: Bool) throws -> any PageService)?
  /// Whether a browser is started, too.
  var opensBrowser = false
  /// Whether nothing but browsers shows the app.
  var isServedAlone = false
  /// With whom models are shared; nil for nobody else.
  var sharing: Sharing?
  /// What is to become of what is measured; nil where nobody measures.
  var profiling: ProfileOptions?
  /// Where the picture goes, unless to standard output.
  private(set) var picture: PictureFile?

  /// - Parameter isWorker: whether it runs in a worker, to which no prompt attaches.
  init(file: String, options: RunOptions, isWorker: Bool = false) {
    self.file = file
    self.options = options
    wall = AppConfinement(
      options.runtime.confine, file: file, access: options.runtime.allowances.access,
      sharing: options.runtime.sharing, hasSocket: !isWorker, keepsSettings: !isWorker)
    reporter = Reporter(style: options.color.style, isJSON: options.json, file: file)
  }

  var isLive: Bool {
    !options.endsWithPicture && !isServedAlone && StandardStreams.keyboard != nil
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
        // The program itself made the call: a folder that cannot be allowed.
        reporter.report(TideError(.badArgument, "--allow: \(error.message)"))
        return .usage
      }
      return try run(runtime)
    } catch {
      reporter.report(error)
      return ending ?? .fault
    }
  }

  private func run(_ runtime: Runtime) throws -> ExitStatus {
    runtime.onError = { [reporter] in reporter.report($0) }
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
    // What prompts would look into is each viewer's own.
    let socket = isPrivate ? nil : listen(runtime, script)
    let browser = display == nil ? nil : startBrowser()
    if let display { wall.serve(display.listener) }
    if let file = options.snapshotSVG, file != "-" {
      let picture = PictureFile(file)
      wall.write(picture)
      self.picture = picture
    }
    let profile = profiling.map { ProfileOutput($0, behind: wall) }
    // After the socket is made, which the wall refuses, and before there is a second thread, which
    // would make it slower.
    do { try wall.raise(runtime.configuration.logger) } catch {
      reporter.report(error)
      return .unavailable
    }
    defer { wall.tidy() }
    if let socket { serve(runtime, reloader, socket, script) }
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
    // Who stops it may be about to start it anew.
    defer { display?.stop(isForGood: ending == nil) }
    if isPrivate {
      try runPrivately(runtime)
      return status(of: runtime)
    }
    defer { inspected?.end() }
    defer { attachments?.stop(exitCode: status(of: runtime).code) }
    // Before anything is read, so that no save is missed.
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
        try runHeadless(runtime, reloader, failure)
      }
    }
    if let profile { report(profile) }
    runtime.end()
    runtime.finishSharing(within: Self.timeOfSharing)
    return status(of: runtime)
  }

  private func report(_ profile: ProfileOutput) {
    let (text, failure) = profile.end(isJSON: options.json)
    if !text.isEmpty { output.writeLine(text) }
    if let failure {
      reporter.report(failure)
      ending = ending ?? .errorsListed
    }
  }

  /// How long the end waits for shared models to be confirmed, in seconds.
  private static let timeOfSharing = 2.0

  /// Lets signals end the app in order: as a person does who presses Ctrl-C, or within their time.
  private func watchSignals(of runtime: Runtime) throws {
    let descriptor = Interrupts.endInOrder(runtime.lua.interrupter)
    guard descriptor >= 0 else { return }
    try runtime.loop.watch(descriptor: descriptor) { [unowned self, unowned runtime] in
      takeSignals(runtime)
    }
  }

  /// Ends the app after a signal that has come.
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

  /// Returns the error of a script that exists but is broken, if a save may fix it; any other error
  /// ends the run.
  private func load(_ runtime: Runtime) -> TideError? {
    do {
      try runtime.load()
      return nil
    } catch {
      // The script was stopped because of what it is already known for.
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

  /// Makes the socket that prompts attach to; nil where that fails, and the app runs without.
  private func listen(_ runtime: Runtime, _ script: String) -> AttachSocket? {
    do {
      let name = RunningApp.name(ofScript: script)
      // A signal may come as soon as there is a file.
      Interrupts.remove(RunningApp.own(name).path)
      return try AttachSocket(name: name)
    } catch {
      runtime.configuration.logger?.notice("no prompt can attach: \(error.message)")
      return nil
    }
  }

  /// Lets prompts attach.
  private func serve(
    _ runtime: Runtime, _ reloader: Reloader, _ socket: AttachSocket, _ script: String
  ) {
    do {
      let server = try AttachServer(runtime, socket, script: script)
      server.onReload = { [unowned self, unowned runtime] in
        try reload($0, runtime, reloader)
        return ""
      }
      server.helpIndex = { PromptHelp.index }
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

  /// Runs the app anew, or one of its modules with what needs it, as an attached prompt asks.
  private func reload(_ module: String?, _ runtime: Runtime, _ reloader: Reloader) throws {
    guard let module else {
      reloader.reload()
      if let error = lastReport?.error { throw error }
      return
    }
    reloader.onReport(try runtime.reload([module]))
    // It may have loaded files that are not watched yet.
    if isWatching { reloader.start() }
  }

  /// Tells of a reload, wherever somebody looks.
  func report(_ report: ReloadReport) {
    lastReport = report
    reporter.report(report)
    attachments?.tell(
      report.line, because: report.error.map { Diagnostic($0, in: file).text() })
    inspected?.note(reload: report.line)
  }

  /// Tells prompts and inspectors that a save waits for an answer; gives the line for the others.
  func reportWaiting() -> String {
    attachments?.tell(LivePanes.waiting)
    inspected?.note(reload: LivePanes.waiting)
    return LivePanes.waiting
  }

  /// Sets what `--set` says, when the app is started and after a reset.
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

  /// Does something when the app's time is over, whatever else is due then.
  func bound(_ runtime: Runtime, _ body: @escaping () -> Void) {
    guard let duration = options.duration else { return }
    runtime.loop.interrupt(after: duration.seconds, body)
  }

  /// Forgets what was to end the app, which somebody has had stay.
  func forgetEnding() {
    ending = nil
    Interrupts.forget()
  }

  /// Asks the app to end, with another exit code than the script's if there is one. Asked once
  /// more, it ends at once.
  ///
  /// - Parameter isBound: whether it ends soon, even if a handler wants it to stay.
  func end(_ runtime: Runtime, _ status: ExitStatus, isBound: Bool = false) {
    ending = ending ?? status
    runtime.exit(0, within: isBound ? Self.timeOfSignal : nil)
  }

  /// Ends the app because its time is over or its work is done: whatever failed decides the code.
  func finish(_ runtime: Runtime) {
    if ending == nil, runtime.exitCode == nil { isFinished = true }
    runtime.exit(0, within: Self.timeOfSignal)
  }

  /// How long those who are asked may take after a signal, in seconds. As long again is left for
  /// what follows.
  private static let timeOfSignal = 0.9

  private func stop(_ runtime: Runtime, becauseOutputFailed reason: String) {
    reporter.report(TideError(.output, "standard output cannot be written: \(reason)"))
    end(runtime, .errorsListed, isBound: true)
    // The script may be printing without end.
    runtime.lua.interrupter.interrupt()
  }

  private func status(of runtime: Runtime) -> ExitStatus {
    if let ending { return ending }
    if let code = runtime.exitCode, !isFinished { return ExitStatus(code) }
    return runtime.listedErrors > 0 ? .errorsListed : .success
  }
}

extension TideError.Code {
  /// Standard output is closed, full, or nobody reads it any more.
  static let output = Self("output", 430)
}
