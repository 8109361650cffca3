import TideViews

extension InputDecoder {
  /// `ESC [ < buttons ; column ; row M`, with `m` for a release.
  mutating func takeMouse(_ sequence: ControlSequence) {
    guard let buttons = sequence.number(at: 0), let column = sequence.number(at: 1),
      let row = sequence.number(at: 2)
    else { return }
    emitMouse(
      buttons, column, row, isRelease: sequence.final == UInt8(ascii: "m"), button: buttons & 3)
  }

  /// rxvt's encoding: `ESC [ buttons ; column ; row M`.
  mutating func takeUrxvtMouse(_ sequence: ControlSequence) {
    guard let buttons = sequence.number(at: 0), buttons >= 32,
      let column = sequence.number(at: 1), let row = sequence.number(at: 2)
    else { return }
    takeOld(buttons - 32, column, row)
  }

  /// The three bytes after `ESC [ M`: buttons, column and row, each plus 32.
  mutating func takeOldMouse(_ byte: UInt8) {
    if byte < 0x20 {
      // The report was incomplete.
      reset()
      takeText(byte)
      return
    }
    pending.append(byte)
    if pending.count < 3 { return }
    let report = pending.map { Int($0) - 32 }
    reset()
    takeOld(report[0], report[1], report[2])
  }

  /// Old reports do not contain which button was released.
  private mutating func takeOld(_ buttons: Int, _ column: Int, _ row: Int) {
    let isRelease = buttons & 3 == 3 && buttons & (32 | 64) == 0
    emitMouse(buttons, column, row, isRelease: isRelease, button: isRelease ? 0 : buttons & 3)
  }

  /// The number of rows or columns for one notch of the wheel.
  private static let cellsPerNotch = 3

  private mutating func emitMouse(
    _ buttons: Int, _ column: Int, _ row: Int, isRelease: Bool, button: Int
  ) {
    var modifiers: Key.Modifiers = []
    if buttons & 4 != 0 { modifiers.insert(.shift) }
    if buttons & 8 != 0 { modifiers.insert(.alt) }
    if buttons & 16 != 0 { modifiers.insert(.control) }
    let kind: MouseEvent.Kind
    if buttons & 64 != 0 && buttons < 128 {
      // The wheel: up, down, left or right.
      if isRelease { return }
      let distance = button & 1 == 0 ? -Self.cellsPerNotch : Self.cellsPerNotch
      kind = button < 2 ? .scroll(distance) : .scrollSideways(distance)
    } else {
      guard buttons < 128 else { return }
      let position = Point(x: max(0, column - 1), y: max(0, row - 1))
      if button == 3, buttons & 32 != 0, !isRelease {
        events.append(.mouse(MouseEvent(.move, at: position, modifiers: modifiers)))
        return
      }
      guard button < 3 else { return }
      let pressed = [MouseEvent.Button.left, .middle, .right][button]
      kind = isRelease ? .release(pressed) : buttons & 32 != 0 ? .drag(pressed) : .press(pressed)
    }
    let position = Point(x: max(0, column - 1), y: max(0, row - 1))
    events.append(.mouse(MouseEvent(kind, at: position, modifiers: modifiers)))
  }
}
