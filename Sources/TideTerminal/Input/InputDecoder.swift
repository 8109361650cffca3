package import TideViews

/// Decodes the bytes sent by a terminal into keys, pastes and mouse events.
///
/// ```swift
/// var decoder = InputDecoder()
/// decoder.decode(Array("a\u{1b}[1;5C".utf8))   // [.key(a), .key(Ctrl-Right)]
/// decoder.decode([0x1b])                       // [], since more may follow
/// decoder.flush()                              // [.key(Escape)]
/// ```
///
/// Bytes may arrive in pieces of any size, with pauses between them: `flush` is due after a pause
/// of `patience`. The decoder supports the encodings of xterm, VTE, kitty, rxvt, tmux, screen and
/// the Linux console: legacy encodings, xterm's `modifyOtherKeys` and kitty's protocol. Other
/// complete sequences, such as responses and reports, are dropped, and so are invalid UTF-8 bytes.
package struct InputDecoder {
  enum State {
    case ground
    case escape
    /// Between `ESC [` and the final byte.
    case control
    /// After `ESC O`.
    case single
    /// After `ESC [ M`, in the three bytes of an old mouse report.
    case oldMouse
    /// After `ESC [ [`, before the function key of the Linux console.
    case console
    /// In a string that ends with `ESC \` or a bell, such as an unrequested response.
    case string
    /// Between the brackets of a paste.
    case paste
  }

  var state = State.ground
  /// The bytes of the unfinished sequence, without its introducer.
  var pending: [UInt8] = []
  /// Whether an escape preceded the sequence, which stands for Alt.
  var hasAlt = false
  var paste = BracketedPaste()
  var events: [InputEvent] = []

  /// The maximum length of a sequence; longer ones are dropped.
  private static let longestSequence = 256
  /// The pause in milliseconds after which a lone escape counts as the Escape key: well above the
  /// delay that a network adds between bytes sent together.
  private static let keyDelay = 50
  /// The pause in milliseconds after which an unfinished sequence is dropped.
  private static let sequenceDelay = 1000

  package init() {}

  /// The milliseconds without input after which `flush` is due; nil if no sequence is unfinished.
  package var patience: Int? {
    switch state {
    case .ground where pending.isEmpty: nil
    case .paste: paste.patience
    default: mayBeWholeKey ? Self.keyDelay : Self.sequenceDelay
    }
  }

  /// Whether the pending bytes may be a complete key: Escape, or a character with Alt.
  private var mayBeWholeKey: Bool {
    switch state {
    case .escape: true
    case .control, .single: pending.isEmpty
    case .string: pending.count == 1
    case .ground, .oldMouse, .console, .paste: false
    }
  }

  /// Whether a paste has begun but not ended.
  package var isInPaste: Bool { state == .paste }

  /// Continues a paste that began earlier.
  package mutating func resumePaste() { beginPaste() }

  package mutating func decode(_ bytes: some Collection<UInt8>) -> [InputEvent] {
    events.removeAll()
    for byte in bytes { take(byte) }
    return events
  }

  /// Completes or drops an unfinished sequence, after a pause of `patience`.
  ///
  /// A lone escape becomes the Escape key; any other unfinished sequence is dropped. A paste
  /// records the first pause, and ends after a longer one.
  package mutating func flush() -> [InputEvent] {
    events.removeAll()
    switch state {
    case .paste:
      if let text = paste.pause() { endPaste(text) }
      return events
    case _ where !mayBeWholeKey: break
    case .escape:
      if hasAlt { emit(.escape) }
      emit(.escape)
    default:
      let introducer: Unicode.Scalar =
        switch state {
        case .control: "["
        case .single: "O"
        default: Unicode.Scalar(pending.first ?? 0x5d)
        }
      // The escape before the sequence was the Escape key, not Alt.
      if hasAlt { emit(.escape) }
      emit(Character(introducer), modifiers: .alt)
    }
    reset()
    return events
  }

  mutating func reset() {
    state = .ground
    hasAlt = false
    pending.removeAll(keepingCapacity: true)
  }

  private mutating func take(_ byte: UInt8) {
    switch state {
    case .ground: takeText(byte)
    case .escape: takeAfterEscape(byte)
    case .control: takeControl(byte)
    case .single: takeSingle(byte)
    case .oldMouse: takeOldMouse(byte)
    case .console: takeConsole(byte)
    case .string: takeString(byte)
    case .paste: takePaste(byte)
    }
  }

  mutating func emit(_ code: Key.Code, modifiers: Key.Modifiers = []) {
    events.append(.key(Key(code, modifiers: modifiers)))
  }

  mutating func emit(_ character: Character, modifiers: Key.Modifiers = []) {
    emit(.character(character), modifiers: modifiers)
  }
}

extension InputDecoder {
  private mutating func takeAfterEscape(_ byte: UInt8) {
    switch byte {
    case 0x1b:
      // The second escape may begin a sequence with Alt, in rxvt's encoding.
      if hasAlt { emit(.escape) }
      hasAlt = true
    case UInt8(ascii: "["): state = .control
    case UInt8(ascii: "O"): state = .single
    case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "^"):
      state = .string
      pending = [byte]
    default:
      if hasAlt { emit(.escape) }
      hasAlt = true
      state = .ground
      takeText(byte)
    }
  }

  private mutating func takeControl(_ byte: UInt8) {
    switch byte {
    case 0x40...0x7e:
      if pending.isEmpty && byte == UInt8(ascii: "M") {
        state = .oldMouse
      } else if pending.isEmpty && byte == UInt8(ascii: "[") {
        state = .console
      } else if pending.count > Self.longestSequence {
        reset()
      } else {
        let sequence = ControlSequence(parameters: pending, final: byte)
        let alt: Key.Modifiers = hasAlt ? .alt : []
        reset()
        interpret(sequence, alt)
      }
    case 0x20...0x3f:
      // rxvt ends Shift keys with a dollar sign, which is otherwise an intermediate byte.
      if byte == UInt8(ascii: "$"), let first = pending.first, (0x30...0x39).contains(first) {
        let sequence = ControlSequence(parameters: pending, final: byte)
        let alt: Key.Modifiers = hasAlt ? .alt : []
        reset()
        interpret(sequence, alt)
      } else if pending.count <= Self.longestSequence {
        // Exceeding the limit by one byte marks the sequence as invalid until its final byte.
        pending.append(byte)
      }
    case 0x1b:
      // The sequence was incomplete.
      reset()
      state = .escape
    default:
      reset()
      takeText(byte)
    }
  }

  private mutating func takeSingle(_ byte: UInt8) {
    // Some terminals send the modifiers here: ESC O 5 P.
    if (0x30...0x39).contains(byte), pending.count < 2 {
      pending.append(byte)
      return
    }
    var modifiers = ControlSequence(parameters: pending, final: byte).modifiers(at: 0)
    if hasAlt { modifiers.insert(.alt) }
    let isLetterAlone = pending.isEmpty
    reset()
    if byte == 0x1b {
      if isLetterAlone { emit("O", modifiers: .alt) }
      state = .escape
    } else if let key = KeyTable.single[byte] {
      emit(key.code, modifiers: modifiers.union(key.modifiers))
    } else if isLetterAlone {
      emit("O", modifiers: .alt)
      takeText(byte)
    } else if byte < 0x20 {
      takeText(byte)
    }
  }

  private mutating func takeConsole(_ byte: UInt8) {
    reset()
    if (0x41...0x45).contains(byte) { emit(.function(Int(byte) - 0x40)) }
  }

  private mutating func takeString(_ byte: UInt8) {
    let isEnd = byte == 0x07 || byte == UInt8(ascii: "\\") && pending.last == 0x1b
    // A string that began with Alt and a letter never ends, so Ctrl-C is let through.
    if isEnd || byte == 0x03 {
      reset()
      if byte == 0x03 { takeText(byte) }
    } else if pending.count > 1, pending.last == 0x1b {
      // Another sequence interrupted the string.
      reset()
      state = .escape
      takeAfterEscape(byte)
    } else {
      // Only the introducer and the last byte are kept.
      pending = [pending[0], byte]
    }
  }

  mutating func beginPaste() {
    state = .paste
    paste = BracketedPaste()
  }

  private mutating func takePaste(_ byte: UInt8) {
    if let text = paste.take(byte) { endPaste(text) }
  }

  private mutating func endPaste(_ text: ArraySlice<UInt8>) {
    reset()
    paste = BracketedPaste()
    events.append(.paste(PastedText.clean(text)))
  }
}
