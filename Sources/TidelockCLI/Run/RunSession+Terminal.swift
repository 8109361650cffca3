import TideBindings
import TideReload
import TideScript
import TideTerminal
import TideViews

extension RunSession {
  /// Runs the app in the terminal, until it or the person at the keys ends it.
  func runLive(_ runtime: Runtime, _ reloader: Reloader, _ failure: TideError?) throws {
    let terminal = TerminalRenderer(usesColor: options.color.forRenderer)
    let panes = LivePanes(terminal, file: file, isDeveloping: isWatching)
    if let failure { panes.fail(failure) }
    panes.scene = { [unowned runtime] in runtime.scene }
    runtime.onError = { [reporter] error in
      reporter.report(error)
      panes.list(error)
    }
    terminal.onEnding = { [unowned self] in end(runtime, after: $0) }
    terminal.onUnhandled = { [unowned self] event in
      guard case .key(let key) = event else { return }
      take(key, runtime, reloader, panes)
    }
    reloader.onReport = { [unowned self] report in
      self.report(report)
      panes.show(report)
    }
    reloader.onNotice = { [reporter] in reporter.report($0) }
    bound(runtime)
    let display = Display(loop: runtime.loop, renderer: terminal)
    defer { display.close() }
    try display.show(runtime.scene)
    if let failure { reporter.report(failure) }
    press(runtime, reloader, panes)
    while runtime.exitCode == nil {
      try display.show(runtime.scene)
      try display.drawIfDue()
      runtime.turn()
    }
  }

  /// Each key in a turn of its own, as if somebody had typed it.
  private func press(_ runtime: Runtime, _ reloader: Reloader, _ panes: LivePanes) {
    for key in options.start.keys?.keys ?? [] {
      runtime.loop.after(0) { [unowned self] in
        if runtime.scene?.send(.key(key)) != true { take(key, runtime, reloader, panes) }
      }
    }
  }

  /// A key that no view took.
  private func take(_ key: Key, _ runtime: Runtime, _ reloader: Reloader, _ panes: LivePanes) {
    if key == Key("?" as Character) { return panes.turnHelp() }
    panes.closeHelp()
    switch key {
    case Key("c" as Character, modifiers: .control): end(runtime, .interrupted)
    case Key("r" as Character): reloader.reload()
    case Key("R" as Character): reset(runtime, reloader)
    default: break
    }
  }

  private func end(_ runtime: Runtime, after ending: TerminalRenderer.Ending) {
    switch ending {
    case .signal(let number): end(runtime, .signal(number))
    case .closed: end(runtime, .signal(Self.hangUp))
    case .failed(let error):
      reporter.report(error)
      end(runtime, .fault)
    }
  }

  /// SIGHUP: what a program gets whose terminal is gone.
  private static let hangUp: Int32 = 1
}
