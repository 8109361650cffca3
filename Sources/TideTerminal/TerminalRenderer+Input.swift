import CTideTerminal
import TideSystem
import TideViews

extension TerminalRenderer {
  /// How long after an escape more has to come for it to be the start of a sequence, in
  /// milliseconds: well above what a network adds between bytes sent together.
  private static let escapeDelay: Int32 = 50
  /// How much is read before frames get their turn.
  private static let readLimit = 256 * 1024

  /// Takes what was typed, signals that arrived and the end of an escape's delay.
  ///
  /// Never waits. Handlers may unmount the renderer.
  public func readInput() {
    takeSignals()
    var total = 0
    reading: while isMounted, total < Self.readLimit {
      switch device.read() {
      case .bytes(let bytes):
        total += bytes.count
        send(decoder.decode(bytes))
      case .nothing:
        break reading
      case .closed:
        end(.closed)
        break reading
      }
    }
    guard isMounted else { return }
    if tide_terminal_timer_fired(), total == 0 { send(decoder.flush()) }
    guard isMounted else { return }
    tide_terminal_set_timer(decoder.isWaiting ? Self.escapeDelay : 0)
    refresh()
  }

  private func takeSignals() {
    var isResized = false
    while isMounted {
      switch tide_terminal_next_signal() {
      case 0:
        if isResized { takeSize() }
        return
      case SIGWINCH, SIGCONT: isResized = true
      case Int32(TIDE_TERMINAL_WAKE): continue
      case let number: end(.signal(number))
      }
    }
  }

  /// Also without another size the terminal may have lost what it showed.
  func takeSize() {
    screen.size = device.size
    screen.forget()
    if reportsMotion { reportMotion(true) }
    if let scene, scene.size != sceneSize {
      scene.send(.resize(sceneSize))
    } else {
      refresh(always: true)
    }
  }

  private func send(_ events: [InputEvent]) {
    for (index, event) in events.enumerated() {
      guard isMounted, let scene else { return }
      // Of movements that have come together the last one counts.
      if event.isMove, index + 1 < events.count, events[index + 1].isMove { continue }
      let event = counted(event)
      if isOnStatus(event) || scene.send(event) { continue }
      takeUnhandled(event)
    }
  }

  /// A click on the status line shows the log, or hides it.
  private func isOnStatus(_ event: InputEvent) -> Bool {
    guard case .mouse(let mouse) = event, mouse.position.y >= sceneSize.height else { return false }
    switch mouse.kind {
    case .press(.left): isLogShown.toggle()
    case .drag, .release, .move: return false
    default: break
    }
    return true
  }

  /// Makes double clicks of presses that follow each other soon.
  private func counted(_ event: InputEvent) -> InputEvent {
    guard case .mouse(let mouse) = event else { return event }
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return .mouse(clicks.count(mouse, at: Double(time.tv_sec) + Double(time.tv_nsec) / 1e9))
  }

  private func takeUnhandled(_ event: InputEvent) {
    switch event {
    case .key(Key(.function(12))): isLogShown.toggle()
    case .key(Key("z" as Character, modifiers: .control)): suspend()
    case .key(Key("l" as Character, modifiers: .control)): repaint()
    default: onUnhandled(event)
    }
  }
}

extension InputEvent {
  fileprivate var isMove: Bool {
    if case .mouse(let mouse) = self { mouse.kind == .move } else { false }
  }
}
