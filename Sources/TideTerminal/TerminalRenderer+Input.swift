import CTideTerminal
import TideSystem
package import TideViews

extension TerminalRenderer {
  /// The most bytes that are read before they are handled.
  private static let readLimit = 256 * 1024
  /// The number of waiting events at which reading pauses.
  private static let queueLimit = 1 << 20

  /// Takes what was typed, signals that arrived and the end of an escape's delay.
  ///
  /// Never waits. When handlers are slow, the rest waits for the next frame, and the descriptor is
  /// readable again at once. Handlers may unmount the renderer.
  public func readInput() {
    takeSignals()
    guard isMounted else { return }
    let hasWaited = !queue.isEmpty
    readBytes()
    guard isMounted else { return }
    if hasWaited { queue.advanceInterrupt() }
    sendQueue()
    guard isMounted else { return }
    if !queue.isEmpty { tide_terminal_wake() }
    refresh()
  }

  private func readBytes() {
    var total = 0
    reading: while isMounted, total < Self.readLimit, queue.count < Self.queueLimit {
      switch device.read() {
      case .bytes(let bytes):
        total += bytes.count
        queue.append(decoder.decode(bytes))
      case .nothing:
        break reading
      case .closed:
        end(.closed)
        break reading
      }
    }
    guard isMounted else { return }
    let hasPaused = tide_terminal_timer_fired() && total == 0
    if hasPaused { queue.append(decoder.flush()) }
    // The timer goes on if something else has woken the loop.
    if hasPaused || total > 0 { tide_terminal_set_timer(Int32(decoder.patience ?? 0)) }
    watchdog?.isInPaste = decoder.isInPaste
  }

  /// Sends waiting events to the scene, until a frame is due.
  private func sendQueue() {
    let end = EventLoop.monotonicTime() + timeOfTurn
    repeat {
      guard isMounted, let scene else { return }
      let typed = scene.type(queue.keys)
      if typed > 0 {
        queue.drop(typed)
      } else if let event = queue.next() {
        send(event)
      } else {
        return
      }
    } while EventLoop.monotonicTime() < end
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

  private func send(_ event: InputEvent) {
    let event = counted(event)
    if isOnStatus(event) || isForLog(event) || scene?.send(event) == true { return }
    takeUnhandled(event)
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

  /// Offers a key to the log while it is shown and no text has the focus; true if the log took it.
  package func isForLog(_ event: InputEvent) -> Bool {
    guard case .key(let key) = event, isLogShown, scene?.isTyping != true else { return false }
    return onLogKey(key)
  }

  /// Makes double clicks of presses that follow each other soon.
  private func counted(_ event: InputEvent) -> InputEvent {
    guard case .mouse(let mouse) = event else { return event }
    return .mouse(clicks.count(mouse, at: EventLoop.monotonicTime()))
  }

  private func takeUnhandled(_ event: InputEvent) {
    switch event {
    case .key(Key(.function(12))): isLogShown.toggle()
    // In a text it is meant as an undo.
    case .key(Key("z" as Character, modifiers: .control)): if scene?.isTyping != true { suspend() }
    case .key(Key("l" as Character, modifiers: .control)): repaint()
    default: onUnhandled(event)
    }
  }
}
