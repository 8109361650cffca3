import TideBindings
import TideReload
import TideScript
import TideViews

extension RunSession {
  /// Runs the app without a terminal, until nothing is left to do; shows it to a text renderer, so
  /// that views and their bindings live as they would in a terminal.
  func runHeadless(_ runtime: Runtime, _ reloader: Reloader, _ failure: TideError?) throws {
    let renderer = TextRenderer(size: options.size.size)
    let display = Display(loop: runtime.loop, renderer: renderer)
    defer { display.close() }
    reloader.onReport = { [unowned self] in report($0) }
    reloader.onNotice = { [reporter] in reporter.report($0) }
    if let failure { reporter.report(failure) }
    var isTimeOver = false
    bound(runtime) { [unowned self, unowned runtime] in
      isTimeOver = true
      if !options.endsWithPicture { finish(runtime) }
    }
    if runtime.exitCode == nil { try show(runtime, on: display) }
    for key in options.start.keys?.keys ?? [] where runtime.exitCode == nil {
      press(key, runtime, reloader)
      try show(runtime, on: display)
    }
    func turn() throws {
      try display.show(runtime.scene)
      try display.drawIfDue()
      runtime.turn()
    }
    if options.endsWithPicture {
      if options.duration != nil {
        while runtime.exitCode == nil, !isTimeOver, runtime.loop.hasWork { try turn() }
        if runtime.exitCode == nil { try show(runtime, on: display) }
      }
      takePicture(of: runtime, renderer)
      // Nobody is there for whom it could stay.
      finish(runtime)
    }
    try runToEnd(
      runtime,
      while: {
        if isWatching || runtime.loop.hasWork { return true }
        // What a signal has stopped may have been all that was left to do.
        takeSignals(runtime)
        return false
      }, step: turn)
  }

  /// Does all that is due, and draws.
  private func show(_ runtime: Runtime, on display: Display) throws {
    runtime.settle()
    try display.show(runtime.scene)
    try display.draw()
    runtime.settle()
    try display.draw()
  }

  private func press(_ key: Key, _ runtime: Runtime, _ reloader: Reloader) {
    if runtime.scene?.send(.key(key)) == true { return }
    switch key {
    case Key("r" as Character): reloader.reload()
    case Key("R" as Character): reset(runtime, reloader)
    case Key("c" as Character, modifiers: .control): end(runtime, .interrupted)
    default: break
    }
  }

  /// Starts the app anew, as it was started first.
  func reset(_ runtime: Runtime, _ reloader: Reloader) {
    reloader.reset()
    applyAssignments(to: runtime)
    // The new version may have lost what `--set` names: said, and no reason to end.
    if ending == .usage { ending = nil }
  }
}
