extension OutputLog {
  private static let escape: UInt8 = 0x1b
  private static let bell: UInt8 = 0x07

  /// A line without escape sequences, such as colours. They are meant for the terminal that
  /// receives the line at the end; in the pane they would appear as text.
  ///
  /// Text that begins like a sequence but is not one is kept.
  static func withoutSequences(_ line: [UInt8]) -> [UInt8] {
    if !line.contains(escape) { return line }
    var plain: [UInt8] = []
    var rest = line[...]
    while let start = rest.firstIndex(of: escape) {
      plain += rest[..<start]
      if let end = endOfSequence(rest[start...]) {
        rest = rest[end...]
      } else {
        plain.append(escape)
        rest = rest[(start + 1)...]
      }
    }
    return plain + rest
  }

  /// The end of the sequence at the beginning of the bytes; nil if they are not a complete
  /// sequence.
  private static func endOfSequence(_ bytes: ArraySlice<UInt8>) -> Int? {
    let kind = bytes.startIndex + 1
    guard kind < bytes.endIndex else { return nil }
    switch bytes[kind] {
    case UInt8(ascii: "["):
      // Parameter and intermediate bytes, then one final byte.
      let final = bytes[(kind + 1)...].firstIndex { !(0x20...0x3f).contains($0) }
      guard let final, (0x40...0x7e).contains(bytes[final]) else { return nil }
      return final + 1
    case UInt8(ascii: "]"):
      // A title or a link, up to a bell or an escape followed by a backslash.
      guard let end = bytes[(kind + 1)...].firstIndex(where: { $0 == bell || $0 == escape }) else {
        return nil
      }
      if bytes[end] == bell { return end + 1 }
      let last = end + 1
      return last < bytes.endIndex && bytes[last] == UInt8(ascii: "\\") ? last + 1 : nil
    default: return nil
    }
  }
}
