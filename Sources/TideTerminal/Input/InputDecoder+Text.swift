import TideViews

extension InputDecoder {
  /// Handles a byte outside sequences: a control key, ASCII, or part of a multi-byte character.
  mutating func takeText(_ byte: UInt8) {
    if !pending.isEmpty {
      if byte & 0xc0 == 0x80 {
        pending.append(byte)
        finishCharacter()
        return
      }
      // The previous character was incomplete.
      pending.removeAll(keepingCapacity: true)
    }
    switch byte {
    case 0x1b:
      state = .escape
      if hasAlt { emit(.escape) }
      hasAlt = false
    case ..<0x20, 0x7f: takeControlKey(byte)
    case ..<0x7f: type(Unicode.Scalar(byte))
    case 0xc2...0xf4: pending.append(byte)
    default: hasAlt = false
    }
  }

  private mutating func finishCharacter() {
    guard let first = pending.first else { return }
    let length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
    if pending.count < length { return }
    var parser = UTF8()
    var bytes = pending.makeIterator()
    pending.removeAll(keepingCapacity: true)
    if case .scalarValue(let scalar) = parser.decode(&bytes) {
      type(scalar)
    } else {
      hasAlt = false
    }
  }

  private mutating func type(_ scalar: Unicode.Scalar) {
    emit(Character(scalar), modifiers: takeAlt())
  }

  private mutating func takeAlt() -> Key.Modifiers {
    defer { hasAlt = false }
    return hasAlt ? .alt : []
  }

  private mutating func takeControlKey(_ byte: UInt8) {
    let modifiers = takeAlt()
    switch byte {
    case 0x00: emit(.space, modifiers: modifiers.union(.control))
    case 0x08, 0x7f: emit(.backspace, modifiers: modifiers)
    case 0x09: emit(.tab, modifiers: modifiers)
    // Raw mode sends a carriage return; piped input and pastes without brackets contain line feeds.
    case 0x0a, 0x0d: emit(.enter, modifiers: modifiers)
    case 0x01...0x1a:
      let letter = Character(Unicode.Scalar(byte + 0x60))
      emit(letter, modifiers: modifiers.union(.control))
    default:
      // Ctrl with one of \ ] ^ _.
      emit(Character(Unicode.Scalar(byte + 0x40)), modifiers: modifiers.union(.control))
    }
  }
}

/// Converts the bytes of a paste to text.
enum PastedText {
  /// Decodes UTF-8, with invalid bytes replaced, and converts line ends to line feeds: terminals
  /// send a carriage return for each.
  static func clean(_ bytes: ArraySlice<UInt8>) -> String {
    var clean: [UInt8] = []
    clean.reserveCapacity(bytes.count)
    var last: UInt8 = 0
    for byte in bytes {
      if byte == 0x0d {
        clean.append(0x0a)
      } else if !(byte == 0x0a && last == 0x0d) {
        clean.append(byte)
      }
      last = byte
    }
    return String(decoding: clean, as: UTF8.self)
  }
}
