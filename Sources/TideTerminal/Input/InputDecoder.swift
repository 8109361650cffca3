package import TideViews

/// Turns the bytes that a terminal sends into keys, pastes and mouse events.
///
/// ```swift
/// var decoder = InputDecoder()
/// decoder.decode(Array("a\u{1b}[1;5C".utf8))   // [.key(a), .key(Ctrl-Right)]
/// decoder.decode([0x1b])                       // [], since more may follow
/// decoder.flush()                              // [.key(Escape)]
/// ```
///
/// Bytes may arrive in any pieces, with pauses between them: `flush` is due after a pause of
/// `patience`. It understands what xterm, VTE, kitty, rxvt, tmux, screen and the Linux console
/// send, in the legacy encodings, xterm's `modifyOtherKeys` and kitty's protocol. Sequences that
/// mean nothing here (answers, reports) are dropped whole; bytes that are no UTF-8 are dropped too.
package struct InputDecoder {
  enum State {
    case ground
    case escape
    /// Between `ESC [` and its last byte.
    case control
    /// After `ESC O`.
    case single
    /// After `ESC [ M`, the three bytes of an old mouse report.
    case oldMouse
    /// After `ESC [ [`, a function key of the Linux console.
    case console
    /// A string that ends with `ESC \` or a bell: an answer that nobody asked for.
    case string
    /// Between the brackets of a paste.
    case paste
  }

  var state = State.ground
  /// The bytes of the unfinished sequence, without what introduced it.
  var pending: [UInt8] = []
  /// An escape came before the sequence: it is held with Alt.
  var hasAlt = false
  var paste = BracketedPaste()
  var events: [InputEvent] = []

  /// Longer sequences are nonsense, and are dropped whole.
  private static let longestSequence = 256
  /// The pause in milliseconds after which a lone escape is the Escape key: well above the delay
  /// that a network adds between bytes sent together.
  private static let keyDelay = 50
  /// The pause in milliseconds after which an unfinished sequence is dropped.
  private static let sequenceDelay = 1000

  package init() {}

  /// The milliseconds without input after which `flush` is due; nil if nothing is unfinished.
  package var patience: Int? {
    switch state {
    case .ground where pending.isEmpty: nil
    case .paste: paste.patience
    default: mayBeWholeKey ? Self.keyDelay : Self.sequenceDelay
    }
  }

  /// Whether the pending bytes may be a whole key: Escape, or a character held with Alt.
  private var mayBeWholeKey: Bool {
    switch state {
    case .escape: true
    case .control, .single: pending.isEmpty
    case .string: pending.count == 1
    case .ground, .oldMouse, .console, .paste: false
    }
  }

  /// Whether a paste has begun and not ended.
  package var isInPaste: Bool { state == .paste }

  /// Treats the next bytes as part of a paste that began before.
  package mutating func resumePaste() { beginPaste() }

  package mutating func decode(_ bytes: some Collection<UInt8>) -> [InputEvent] {
    events.removeAll()
    for byte in bytes { take(byte) }
    return events
  }

  /// Ends what is unfinished, after a pause of `patience`.
  ///
  /// A lone escape becomes the Escape key; an unfinished sequence is dropped. A paste takes note of
  /// the first pause, and ends after a longer one.
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
      // The second may begin a sequence held with Alt, as rxvt sends it.
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
      // rxvt ends Shift-keys with a dollar sign, which elsewhere comes before the last byte.
      if byte == UInt8(ascii: "$"), let first = pending.first, (0x30...0x39).contains(first) {
        let sequence = ControlSequence(parameters: pending, final: byte)
        let alt: Key.Modifiers = hasAlt ? .alt : []
        reset()
        interpret(sequence, alt)
      } else if pending.count <= Self.longestSequence {
        // One byte too many marks it as nonsense until its last byte.
        pending.append(byte)
      }
    case 0x1b:
      // The sequence was cut off.
      reset()
      state = .escape
    default:
      reset()
      takeText(byte)
    }
  }

  private mutating func takeSingle(_ byte: UInt8) {
    // Some terminals put the modifiers here: ESC O 5 P.
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
    // What starts with a letter pressed with Alt has no end: let Ctrl-C out.
    if isEnd || byte == 0x03 {
      reset()
      if byte == 0x03 { takeText(byte) }
    } else if pending.count > 1, pending.last == 0x1b {
      // Another sequence cut it off.
      reset()
      state = .escape
      takeAfterEscape(byte)
    } else {
      // What introduced it, and the last byte.
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
