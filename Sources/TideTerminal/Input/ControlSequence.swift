import TideViews

/// The parsed parameters of a control sequence, between `ESC [` and its final byte.
struct ControlSequence {
  /// The private marker `<`, `=`, `>` or `?`; nil if there is none.
  let marker: UInt8?
  /// Missing numbers are nil. Of numbers joined by colons, only the first is included; `shifted`,
  /// `base` and `event` have the others.
  private(set) var numbers: [Int?] = []
  /// The second and third number of the first parameter. In kitty's protocol these are the
  /// character that the key types with Shift, and the character on a standard PC keyboard.
  private(set) var shifted: Int?
  private(set) var base: Int?
  /// The second number of the second parameter, joined by a colon: in kitty's protocol 1 is a
  /// press, 2 a repeat and 3 a release.
  private(set) var event: Int?
  let final: UInt8

  init(parameters: [UInt8], final: UInt8) {
    self.final = final
    var rest = parameters[...]
    if let first = rest.first, (0x3c...0x3f).contains(first) {
      marker = first
      rest.removeFirst()
    } else {
      marker = nil
    }
    for (index, part) in rest.split(separator: 0x3b, omittingEmptySubsequences: false)
      .enumerated()
    {
      let pieces = part.split(separator: 0x3a, omittingEmptySubsequences: false)
      numbers.append(pieces.first.flatMap(Self.number))
      if pieces.count < 2 { continue }
      if index == 0 {
        shifted = Self.number(pieces[1])
        base = pieces.count > 2 ? Self.number(pieces[2]) : nil
      } else if index == 1 {
        event = Self.number(pieces[1])
      }
    }
  }

  /// Nil for anything but a number, and for numbers that are too large.
  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    if digits.isEmpty || digits.count > 7 { return nil }
    var value = 0
    for digit in digits {
      guard (0x30...0x39).contains(digit) else { return nil }
      value = value * 10 + Int(digit - 0x30)
    }
    return value
  }

  func number(at index: Int) -> Int? { index < numbers.count ? numbers[index] : nil }

  /// xterm's modifiers: 1 plus shift 1, alt 2, control 4. Meta counts as Alt, and locks are
  /// ignored.
  func modifiers(at index: Int) -> Key.Modifiers {
    guard let number = number(at: index), number > 1 else { return [] }
    let bits = number - 1
    var modifiers: Key.Modifiers = []
    if bits & 1 != 0 { modifiers.insert(.shift) }
    if bits & (2 | 32) != 0 { modifiers.insert(.alt) }
    if bits & 4 != 0 { modifiers.insert(.control) }
    return modifiers
  }

  /// Whether Super or Hyper is held; such keys are reserved for the desktop.
  func isForDesktop(at index: Int) -> Bool {
    guard let number = number(at: index), number > 1 else { return false }
    return (number - 1) & (8 | 16) != 0
  }
}
