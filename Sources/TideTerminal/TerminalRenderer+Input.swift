import CTideTerminal
import TideSystem
package import TideViews

extension TerminalRenderer {
  /// The maximum number of bytes read before they are handled.
  private static let readLimit = 256 * 1024
  /// The number of queued events at which reading pauses.
  private static let queueLimit = 1 << 20

  /// Handles available input, signals, and the timeout after an escape.
  ///
  /// Never blocks. If handlers are slow, the remaining input waits for the next frame, and the
  /// descriptor stays readable. Handlers may unmount the renderer.
  public func readInput() {
    takeSignals()
    guard isMounted else { return }
    if scene?.needsFrame == false { noteShown() }
    let hasWaited = !queue.isEmpty
    readBytes()
    guard isMounted else { return }
    if hasWaited { queue.advanceInterrupt() }
    sendQueue()
    guard isMounted else { return }
    if !queue.isEmpty { tide_terminal_wake() }
    refresh()
  }

  /// Reads input that arrived before the next frame is shown, for which it is not meant. A terminal
  /// that is gone is left to `readInput`.
  func readBeforeFrame() {
    guard isMounted, tide_terminal_has_input() else { return }
    readBytes()
    if isMounted, !queue.isEmpty { tide_terminal_wake() }
  }

  /// The terminal shows all changes so far.
  func noteShown() { shownFrame = scene?.noteShown() }

  private func readBytes() {
    var total = 0
    reading: while isMounted, total < Self.readLimit, queue.count < Self.queueLimit {
      switch device.read() {
      case .bytes(let bytes):
        total += bytes.count
        queue.append(decoder.decode(bytes), seeing: shownFrame)
      case .nothing:
        break reading
      case .closed:
        end(.closed)
        break reading
      }
    }
    guard isMounted else { return }
    let hasPaused = tide_terminal_timer_fired() && total == 0
    if hasPaused { queue.append(decoder.flush(), seeing: shownFrame) }
    // The timer continues if something else has woken the loop.
    if hasPaused || total > 0 { tide_terminal_set_timer(Int32(decoder.patience ?? 0)) }
    watchdog?.isInPaste = decoder.isInPaste
  }

  /// Sends queued events to the scene, until a frame is due.
  private func sendQueue() {
    let end = EventLoop.monotonicTime() + timeOfTurn
    repeat {
      guard isMounted, let scene else { return }
      let frame = queue.nextFrame
      let typed = scene.type(queue.keys, seeing: frame)
      if typed > 0 {
        queue.drop(typed)
      } else if let event = queue.next() {
        send(event, seeing: frame)
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

  /// The terminal may have lost its content even if its size is unchanged.
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

  private func send(_ event: InputEvent, seeing frame: Int?) {
    let event = counted(event)
    if isOnStatus(event) || isForLog(event) || scene?.send(event, seeing: frame) == true { return }
    takeUnhandled(event)
  }

  /// Handles a click on the status line, which toggles the log.
  private func isOnStatus(_ event: InputEvent) -> Bool {
    guard case .mouse(let mouse) = event, mouse.position.y >= sceneSize.height else { return false }
    switch mouse.kind {
    case .press(.left): isLogShown.toggle()
    case .drag, .release, .move: return false
    default: break
    }
    return true
  }

  /// Offers a key to the log while it is shown and no text has the focus; true if the log handled
  /// it.
  package func isForLog(_ event: InputEvent) -> Bool {
    guard case .key(let key) = event, isLogShown, scene?.isTyping != true else { return false }
    return onLogKey(key)
  }

  /// Counts presses in quick succession as double clicks.
  private func counted(_ event: InputEvent) -> InputEvent {
    guard case .mouse(let mouse) = event else { return event }
    return .mouse(clicks.count(mouse, at: EventLoop.monotonicTime()))
  }

  private func takeUnhandled(_ event: InputEvent) {
    switch event {
    case .key(Key(.function(12))): isLogShown.toggle()
    // In a text, Ctrl-Z is meant as undo.
    case .key(Key("z" as Character, modifiers: .control)): if scene?.isTyping != true { suspend() }
    case .key(Key("l" as Character, modifiers: .control)): repaint()
    default: onUnhandled(event)
    }
  }
}
