/// A table of the multi-scalar characters in frames. It numbers them, so that a cell is a few plain
/// bytes.
///
/// ```swift
/// let glyphs = GlyphTable()
/// let shown = Frame(size: Size(width: 80, height: 24), glyphs: glyphs)
/// let next = Frame(size: Size(width: 80, height: 24), glyphs: glyphs)
/// ```
///
/// Frames that are compared share one table.
public final class GlyphTable {
  private var numbers: [Character: UInt32] = [:]
  private var characters: [Character] = []
  private static let firstNumber: UInt32 = 0x8000_0000
  /// The maximum number of entries. Further clusters are drawn as replacement characters, which
  /// bounds the memory that hostile text can use.
  private static let limit = 1 << 16
  /// The maximum number of scalars drawn of one cluster. No script and no emoji needs more.
  private static let longestCluster = 16

  /// Makes an empty table.
  public init() {}

  func code(for character: Character) -> UInt32 {
    let scalars = character.unicodeScalars
    if let only = scalars.first, scalars.index(after: scalars.startIndex) == scalars.endIndex {
      return only.value
    }
    if let shown = Self.bounded(character) { return code(for: shown) }
    if let known = numbers[character] { return known }
    if characters.count >= Self.limit { return 0xFFFD }
    let number = Self.firstNumber + UInt32(characters.count)
    numbers[character] = number
    characters.append(character)
    return number
  }

  /// The part of a character that is drawn; nil if that is the whole character. A joiner at its end
  /// is left out, because some terminals (tmux) apply it to the next cell.
  private static func bounded(_ character: Character) -> Character? {
    let scalars = character.unicodeScalars
    if scalars.last?.value != 0x200D,
      scalars.index(
        scalars.startIndex, offsetBy: longestCluster + 1, limitedBy: scalars.endIndex) == nil
    {
      return nil
    }
    var kept = Array(scalars.prefix(longestCluster))
    while kept.count > 1, kept.last?.value == 0x200D { kept.removeLast() }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: kept)
    return String(text).first
  }

  func character(for code: UInt32) -> Character {
    if code < Self.firstNumber { return Unicode.Scalar(code).map(Character.init) ?? " " }
    let index = Int(code - Self.firstNumber)
    return index < characters.count ? characters[index] : "\u{FFFD}"
  }
}
