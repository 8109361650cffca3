import TideViews

extension InputDecoder {
  /// Handles a complete control sequence; `alt` is set if an escape preceded it.
  mutating func interpret(_ sequence: ControlSequence, _ alt: Key.Modifiers) {
    switch (sequence.marker, sequence.final) {
    case (UInt8(ascii: "<"), UInt8(ascii: "M")), (UInt8(ascii: "<"), UInt8(ascii: "m")):
      takeMouse(sequence)
    case (nil, UInt8(ascii: "~")): takeNumbered(sequence, alt)
    case (nil, UInt8(ascii: "$")): takeNumbered(sequence, alt.union(.shift))
    case (nil, UInt8(ascii: "^")): takeNumbered(sequence, alt.union(.control))
    case (nil, UInt8(ascii: "@")): takeNumbered(sequence, alt.union([.shift, .control]))
    case (nil, UInt8(ascii: "u")): takeCoded(sequence.number(at: 0), sequence, alt)
    case (nil, UInt8(ascii: "M")): takeUrxvtMouse(sequence)
    case (nil, let letter):
      // With another first number it is a response, such as a cursor position report.
      guard let key = KeyTable.letters[letter], sequence.number(at: 0) ?? 1 == 1 else { return }
      emit(key, sequence, alt)
    default: return
    }
  }

  private mutating func takeNumbered(_ sequence: ControlSequence, _ added: Key.Modifiers) {
    switch sequence.number(at: 0) {
    case 200: beginPaste()
    // modifyOtherKeys: ESC [ 27 ; modifiers ; code ~
    case 27: takeCoded(sequence.number(at: 2), sequence, added)
    case let number?:
      guard let key = KeyTable.numbered(number) else { return }
      emit(key, sequence, added)
    case nil: return
    }
  }

  private mutating func takeCoded(
    _ number: Int?, _ sequence: ControlSequence, _ added: Key.Modifiers
  ) {
    guard let number, let key = KeyTable.coded(number) else { return }
    let modifiers = sequence.modifiers(at: 1).union(added)
    if sequence.final == UInt8(ascii: "u"), modifiers == .shift,
      let shifted = sequence.shifted.flatMap(KeyTable.coded)
    {
      if sequence.event != 3 { emit(shifted.code, modifiers: shifted.modifiers) }
    } else if !modifiers.isDisjoint(with: [.control, .alt]) {
      emit(KeyboardLayouts.shortcut(key, base: sequence.base), sequence, added)
    } else {
      emit(key, sequence, added)
    }
  }

  private mutating func emit(_ key: Key, _ sequence: ControlSequence, _ added: Key.Modifiers) {
    if sequence.event == 3 || sequence.isForDesktop(at: 1) && !key.isHarmless { return }
    let modifiers = key.modifiers.union(sequence.modifiers(at: 1)).union(added)
    emit(key.code, modifiers: modifiers)
  }
}

extension Key {
  /// Whether it neither types nor deletes text.
  fileprivate var isHarmless: Bool {
    switch code {
    case .up, .down, .left, .right, .home, .end, .pageUp, .pageDown, .function: true
    default: false
    }
  }
}
