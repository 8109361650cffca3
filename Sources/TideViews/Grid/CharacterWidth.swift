/// How many cells a character takes in a terminal: 0, 1 or 2.
///
/// ```swift
/// CharacterWidth.of("a")        // 1
/// CharacterWidth.of("漢")       // 2
/// CharacterWidth.of("e\u{301}") // 1, a letter and its accent
/// ```
///
/// A character is a grapheme cluster. It is as wide as its first visible scalar, and 2 cells wide
/// if a variation selector requests an emoji or two regional indicators form a flag. Terminals
/// disagree about such clusters (see `isUncertain`), so a renderer should position the character
/// after one explicitly. Control characters count 1, for the replacement character that a frame
/// shows in their place.
package enum CharacterWidth {
  /// How many cells a character takes: 0, 1 or 2.
  package static func of(_ character: Character) -> Int {
    var scalars = character.unicodeScalars.makeIterator()
    guard let first = scalars.next() else { return 0 }
    var width = of(first)
    guard var next = scalars.next() else { return width }
    if isRegionalIndicator(first) && isRegionalIndicator(next) { return 2 }
    while true {
      if width == 0 { width = of(next) }
      if next.value == 0xFE0F && width == 1 && first.properties.isEmoji { width = 2 }
      guard let following = scalars.next() else { return width }
      next = following
    }
  }

  /// How many cells text takes on one line.
  package static func of(_ text: some StringProtocol) -> Int {
    var width = 0
    var isPlain = true
    for byte in text.utf8 {
      if byte < 0x20 || byte > 0x7E {
        isPlain = false
        break
      }
      width += 1
    }
    return isPlain ? width : text.reduce(0) { $0 + max(0, of($1)) }
  }

  /// The width of one scalar by itself; 0 for combining marks and format characters.
  package static func of(_ scalar: Unicode.Scalar) -> Int {
    let value = scalar.value
    if value < 0x300 { return value == 0xAD ? 0 : 1 }
    // The characters of pictures and charts, hundreds in a frame: lines, blocks and dots.
    if (0x2500...0x25FC).contains(value) || (0x2800...0x28FF).contains(value) { return 1 }
    if value >= 0x1100 && isWide(value) { return 2 }
    // Vowels and finals of Korean syllables share the cell of their first letter.
    if (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FF).contains(value) { return 0 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .lineSeparator, .paragraphSeparator:
      return 0
    default:
      return 1
    }
  }

  /// Whether terminals are known to disagree about the width: clusters of several scalars that
  /// contain a joiner, a variation selector, a skin tone, a flag or a spacing mark.
  package static func isUncertain(_ character: Character) -> Bool {
    var count = 0
    for scalar in character.unicodeScalars {
      count += 1
      switch scalar.value {
      case 0x200D, 0xFE00...0xFE0F, 0x1F1E6...0x1F1FF, 0x1F3FB...0x1F3FF:
        return count > 1 || isRegionalIndicator(scalar)
      case 0x900...:
        // Some terminals give vowel signs of Indic scripts a cell of their own.
        if count > 1 && scalar.properties.generalCategory == .spacingMark { return true }
      default:
        continue
      }
    }
    return false
  }

  private static func isRegionalIndicator(_ scalar: Unicode.Scalar) -> Bool {
    (0x1F1E6...0x1F1FF).contains(scalar.value)
  }

  private static func isWide(_ value: UInt32) -> Bool {
    var low = 0
    var high = wideRanges.count / 2
    while low < high {
      let middle = (low + high) / 2
      if value > wideRanges[middle * 2 + 1] { low = middle + 1 } else { high = middle }
    }
    return low < wideRanges.count / 2 && value >= wideRanges[low * 2]
  }

  /// The first and last scalar of each range that Unicode calls wide or full width. Unassigned
  /// scalars within a wide block count as wide.
  private static let wideRanges: [UInt32] = [
    0x1100, 0x115F, 0x231A, 0x231B, 0x2329, 0x232A, 0x23E9, 0x23EC, 0x23F0, 0x23F0, 0x23F3, 0x23F3,
    0x25FD, 0x25FE, 0x2614, 0x2615, 0x2648, 0x2653, 0x267F, 0x267F, 0x2693, 0x2693, 0x26A1, 0x26A1,
    0x26AA, 0x26AB, 0x26BD, 0x26BE, 0x26C4, 0x26C5, 0x26CE, 0x26CE, 0x26D4, 0x26D4, 0x26EA, 0x26EA,
    0x26F2, 0x26F3, 0x26F5, 0x26F5, 0x26FA, 0x26FA, 0x26FD, 0x26FD, 0x2705, 0x2705, 0x270A, 0x270B,
    0x2728, 0x2728, 0x274C, 0x274C, 0x274E, 0x274E, 0x2753, 0x2755, 0x2757, 0x2757, 0x2795, 0x2797,
    0x27B0, 0x27B0, 0x27BF, 0x27BF, 0x2B1B, 0x2B1C, 0x2B50, 0x2B50, 0x2B55, 0x2B55, 0x2E80, 0x3029,
    0x302E, 0x303E, 0x3041, 0x3098, 0x309B, 0x3247, 0x3250, 0x4DBF, 0x4E00, 0xA4C6, 0xA960, 0xA97C,
    0xAC00, 0xD7A3, 0xF900, 0xFAD9,
    0xFE10, 0xFE19, 0xFE30, 0xFE6B, 0xFF01, 0xFF60, 0xFFE0, 0xFFE6, 0x16FE0, 0x16FE3, 0x16FE5,
    0x18D08, 0x1AFF0,
    0x1B2FB, 0x1F004, 0x1F004, 0x1F0CF, 0x1F0CF, 0x1F18E, 0x1F18E, 0x1F191, 0x1F19A, 0x1F200,
    0x1F265, 0x1F300, 0x1F320, 0x1F32D, 0x1F335, 0x1F337, 0x1F37C, 0x1F37E, 0x1F393, 0x1F3A0,
    0x1F3CA, 0x1F3CF, 0x1F3D3, 0x1F3E0, 0x1F3F0, 0x1F3F4, 0x1F3F4, 0x1F3F8, 0x1F43E, 0x1F440,
    0x1F440, 0x1F442, 0x1F4FC, 0x1F4FF, 0x1F53D, 0x1F54B, 0x1F54E, 0x1F550, 0x1F567, 0x1F57A,
    0x1F57A, 0x1F595, 0x1F596, 0x1F5A4, 0x1F5A4, 0x1F5FB, 0x1F64F, 0x1F680, 0x1F6C5, 0x1F6CC,
    0x1F6CC, 0x1F6D0, 0x1F6D2, 0x1F6D5, 0x1F6DF, 0x1F6EB, 0x1F6EC, 0x1F6F4, 0x1F6FC, 0x1F7E0,
    0x1F7F0, 0x1F90C, 0x1F93A, 0x1F93C, 0x1F945, 0x1F947, 0x1F9FF, 0x1FA70, 0x1FAFF, 0x20000,
    0x2FFFD, 0x30000, 0x3FFFD,
  ]
}
