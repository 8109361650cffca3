import TideBindings
import TideReload
import TideRun
import TideScript
import TideViews

extension RunSession {
  /// Runs the app without a terminal until nothing is left to do. A text renderer shows it, so that
  /// views and bindings behave as in a terminal.
  func runHeadless(_ runtime: Runtime, _ reloader: Reloader, _ failure: TideError?) throws {
    let renderer = TextRenderer(size: options.size.size)
    let loop = AppLoop(runtime, recorded(renderer, in: runtime))
    defer { loop.close() }
    loop.onAsking = { [unowned self] in if !$0 { forgetEnding() } }
    loop.keepsRunning = { [unowned self, unowned runtime] in
      if isWatching || options.driven != nil { return true }
      // A signal may have stopped the last remaining work.
      takeSignals(runtime)
      recordLastChanges(of: runtime)
      return false
    }
    reloader.waitsForAnswers = false
    reloader.onReport = { [unowned self] in report($0) }
    reloader.onNotice = { [reporter] in reporter.report($0) }
    if let failure { reporter.report(failure) }
    var isTimeOver = false
    bound(runtime) { [unowned self, unowned runtime] in
      isTimeOver = true
      if !options.endsWithPicture { finish(runtime) }
    }
    if runtime.exitCode == nil { try loop.catchUp() }
    beginDriving()
    for key in options.start.keys?.keys ?? [] where runtime.exitCode == nil {
      try loop.send(.key(key)) { take(key, runtime) }
    }
    if options.endsWithPicture {
      if options.duration != nil {
        try loop.run(while: { !isTimeOver && runtime.loop.hasWork })
        if runtime.exitCode == nil { try loop.catchUp() }
      }
      takePicture(of: runtime, renderer)
      // Without a user, the app has no reason to stay.
      finish(runtime)
    }
    try loop.run()
  }

  /// Handles a key that no view handled.
  private func take(_ key: Key, _ runtime: Runtime) {
    if key == Key("c" as Character, modifiers: .control) { end(runtime, .interrupted) }
  }

  /// Restarts the app from its initial state.
  func reset(_ runtime: Runtime, _ reloader: Reloader) {
    reloader.reset()
    applyAssignments(to: runtime)
    // The new version may lack a property of `--set`; this is reported, but does not end the app.
    if ending == .usage { ending = nil }
  }
}
