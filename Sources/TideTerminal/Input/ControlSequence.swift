import TideViews

/// What stands between `ESC [` and the end of a control sequence, as numbers.
struct ControlSequence {
  /// `<`, `=`, `>` or `?`, when the sequence begins with one.
  let marker: UInt8?
  /// Absent numbers are nil. Only the first of several numbers joined by colons is here; `shifted`,
  /// `base` and `event` are others.
  private(set) var numbers: [Int?] = []
  /// The second and third number of the first parameter: in kitty's protocol, the character that
  /// the key types with Shift, and the one that it types on a standard PC keyboard.
  private(set) var shifted: Int?
  private(set) var base: Int?
  /// The second number joined by a colon to the second parameter: kitty's press 1, repeat 2,
  /// release 3.
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

  /// Nil for what is no number, or too large to mean anything.
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

  /// xterm's modifiers: one more than shift 1, alt 2, control 4; meta counts as alt, the locks not.
  func modifiers(at index: Int) -> Key.Modifiers {
    guard let number = number(at: index), number > 1 else { return [] }
    let bits = number - 1
    var modifiers: Key.Modifiers = []
    if bits & 1 != 0 { modifiers.insert(.shift) }
    if bits & (2 | 32) != 0 { modifiers.insert(.alt) }
    if bits & 4 != 0 { modifiers.insert(.control) }
    return modifiers
  }

  /// Whether Super or Hyper is held: such a press is for the desktop.
  func isForDesktop(at index: Int) -> Bool {
    guard let number = number(at: index), number > 1 else { return false }
    return (number - 1) & (8 | 16) != 0
  }
}
