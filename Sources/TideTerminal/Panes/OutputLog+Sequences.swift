extension OutputLog {
  private static let escape: UInt8 = 0x1b
  private static let bell: UInt8 = 0x07

  /// A line without the escape sequences in it: colours above all, which are for the terminal that
  /// the line goes to at the end. In the pane their letters would stand between the words.
  ///
  /// What begins like a sequence and is none stays, so that nothing of the text is lost.
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

  /// Where the sequence ends with which the bytes begin; nil when it is none, or does not end.
  private static func endOfSequence(_ bytes: ArraySlice<UInt8>) -> Int? {
    let kind = bytes.startIndex + 1
    guard kind < bytes.endIndex else { return nil }
    switch bytes[kind] {
    case UInt8(ascii: "["):
      // Parameters and what stands between, then one byte that says what it is.
      let final = bytes[(kind + 1)...].firstIndex { !(0x20...0x3f).contains($0) }
      guard let final, (0x40...0x7e).contains(bytes[final]) else { return nil }
      return final + 1
    case UInt8(ascii: "]"):
      // A title or a link, up to a bell or an escape with a backslash.
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
