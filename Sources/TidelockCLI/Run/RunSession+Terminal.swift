import TideBindings
import TideLua
import TideReload
import TideRun
import TideScript
import TideTerminal
import TideViews

extension RunSession {
  /// Runs the app in the terminal until the app or the user ends it.
  ///
  /// - Parameter display: also shows it in browsers; nil for none.
  func runLive(
    _ runtime: Runtime, _ reloader: Reloader, _ failure: TideError?, _ display: (any PageDisplay)?
  ) throws {
    // Evaluated before the terminal renderer redirects output.
    let logsErrors = !StandardStreams.showsErrors
    let terminal = TerminalRenderer(
      input: StandardStreams.keyboard ?? 0, usesColor: options.color.forRenderer)
    let panes = LivePanes(
      terminal, file: file, isDeveloping: isWatching, logsErrors: logsErrors)
    if let failure { panes.fail(failure) }
    runtime.tellsPeopleOfErrors = !isWatching
    panes.scene = { [unowned runtime] in runtime.scene }
    panes.errors = { [unowned runtime] in runtime.errors }
    // While the app covers the terminal, errors and reloads are only in the log.
    let write: ((String) -> Void)? = logsErrors ? nil : { terminal.logForNow($0) }
    func log(_ error: TideError) {
      if let write { write(reporter.text(of: error)) } else { reporter.report(error) }
    }
    runtime.onError = { error in
      log(error)
      panes.note(error)
      display?.errorsChanged()
    }
    runtime.onRecovery = {
      panes.errorsChanged()
      display?.errorsChanged()
    }
    // Includes errors listed while the script was loaded.
    panes.errorsChanged()
    terminal.onEnding = { [unowned self] in end(runtime, after: $0) }
    var noticeEnd: LoopTimer?
    terminal.onNotice = { [unowned runtime] notice in
      panes.notice = notice
      noticeEnd?.cancel()
      noticeEnd = runtime.loop.after(Self.timeOfNotice, keepsRunning: false) {
        panes.notice = nil
      }
    }
    terminal.onUnheardInterrupt = { [interrupter = runtime.lua.interrupter] isInsistent in
      if isInsistent { Interrupts.bound() }
      interrupter.interrupt()
    }
    terminal.onUnhandled = { [unowned self] event in
      guard case .key(let key) = event else { return }
      // A second Ctrl-C must take effect even while the script is busy.
      if key == Self.quits { terminal.raisesInterrupts = true }
      take(key, runtime, panes)
    }
    if isWatching {
      terminal.logHint = "r reloads, R starts the app anew"
      terminal.onLogKey = { [unowned self] in takeInLog($0, runtime, reloader) }
    }
    reloader.onReport = { [unowned self] report in
      self.report(report, to: write)
      panes.show(report)
      if let display { tell(report, display) }
    }
    reloader.onWaiting = { [unowned self] isWaiting in
      panes.isWaiting = isWaiting
      if isWaiting { display?.report(reportWaiting()) }
    }
    reloader.onNotice = { [reporter] in reporter.report($0) }
    for error in takeEarlyErrors() { log(error) }
    bound(runtime) { [unowned self, unowned runtime] in finish(runtime) }
    let pair = display.map { RendererPair(terminal, $0.pages) }
    pair?.beforeInput = { [weak display] in display?.leaveLead() }
    let loop = AppLoop(runtime, recorded(pair ?? terminal, in: runtime))
    // Restores the terminal before the app's scripts clean up. The printed output is then written
    // to it, followed by the unresolved errors.
    defer {
      let errors = panes.remainingErrors
      loop.close()
      runtime.onError = { [reporter] in reporter.report($0) }
      if write != nil { for error in errors { reporter.report(error) } }
    }
    // Drawing may list errors as well.
    loop.beforeTurn = { panes.catchUp() }
    var patience: LoopTimer?
    loop.onAsking = { [unowned self, unowned runtime] isAsking in
      // Most apps end quickly, without a message.
      patience?.cancel()
      patience = nil
      panes.isQuitting = false
      guard isAsking else {
        forgetEnding()
        terminal.raisesInterrupts = false
        return
      }
      patience = runtime.loop.after(1, keepsRunning: false) {
        panes.isQuitting = runtime.isAskedToEnd
      }
    }
    try loop.show()
    if let failure { log(failure) }
    press(runtime, reloader, panes, terminal)
    try loop.run()
  }

  /// The time for which a notice is shown, in seconds.
  private static let timeOfNotice = 8.0

  private static let quits = Key("c" as Character, modifiers: .control)

  /// Sends each key in a separate turn, as if it were typed.
  private func press(
    _ runtime: Runtime, _ reloader: Reloader, _ panes: LivePanes, _ terminal: TerminalRenderer
  ) {
    for key in options.start.keys?.keys ?? [] {
      runtime.loop.after(0) { [unowned self] in
        if terminal.isForLog(.key(key)) || runtime.scene?.send(.key(key)) == true { return }
        if key == Key(.function(12)) { return terminal.isLogShown.toggle() }
        take(key, runtime, panes)
      }
    }
  }

  /// The keys for reloading work only in the log; elsewhere letters are typed or search for rows.
  private func takeInLog(_ key: Key, _ runtime: Runtime, _ reloader: Reloader) -> Bool {
    switch key {
    case Key("r" as Character): reloader.reload()
    case Key("R" as Character): reset(runtime, reloader)
    default: return false
    }
    return true
  }

  /// Handles a key that no view handled.
  private func take(_ key: Key, _ runtime: Runtime, _ panes: LivePanes) {
    if key == Key("?" as Character) { return panes.turnHelp() }
    if key == Key(.escape) { return panes.closeTopmost() }
    panes.closeHelp()
    if key == Self.quits { end(runtime, .interrupted) }
  }

  private func end(_ runtime: Runtime, after ending: TerminalRenderer.Ending) {
    Interrupts.bound()
    switch ending {
    case .signal(let number): end(runtime, .signal(number), isBound: true)
    case .closed: end(runtime, .signal(Self.hangUp), isBound: true)
    case .failed(let error):
      reporter.report(error)
      end(runtime, .fault, isBound: true)
    }
  }

  /// SIGHUP, which a program receives when its terminal closes.
  private static let hangUp: Int32 = 1
}
