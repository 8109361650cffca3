/// Finds the word in a script's line that an error message refers to.
///
/// Lua reports only the line of an error, but its messages quote the word: `attempt to index a nil
/// value (global 'fruit')`, `unexpected symbol near '='`. So do ours: `fruit has no property
/// "colr"`.
package enum CulpritFinder {
  private static let quotes: [(open: UInt8, close: UInt8)] = [
    (UInt8(ascii: "'"), UInt8(ascii: "'")), (UInt8(ascii: "\""), UInt8(ascii: "\"")),
  ]

  /// The functions with which scripts raise errors.
  private static let raisers = ["error", "assert"].map { Array($0.utf8)[...] }

  /// The byte offset of the word, or else of the first character that is not blank.
  package static func offset(in line: [UInt8], of message: String) -> Int {
    let message = Array(message.utf8)
    if ends(message, with: "near <eof>") { return trimmedEnd(of: line) }
    // The outline of a raised table quotes texts of the table. They are not names.
    var words = message.first == UInt8(ascii: "{") ? [] : quotedWords(message)
    // In such messages, words before "near" are expected but missing.
    if contains(message, " near ") { words.reverse() }
    for word in words + raisers {
      if let offset = find(word, in: line) { return offset }
    }
    return line.firstIndex { !isBlank($0) } ?? 0
  }

  private static func quotedWords(_ message: [UInt8]) -> [ArraySlice<UInt8>] {
    var words: [ArraySlice<UInt8>] = []
    var rest = message[...]
    while let start = rest.firstIndex(where: { byte in quotes.contains { $0.open == byte } }) {
      let quote = rest[start]
      rest = rest[(start + 1)...]
      guard let end = rest.firstIndex(of: quote) else { break }
      if end > rest.startIndex { words.append(rest[..<end]) }
      rest = rest[(end + 1)...]
    }
    return words
  }

  /// Only whole names match: `a` does not match in `name`.
  private static func find(_ word: ArraySlice<UInt8>, in line: [UInt8]) -> Int? {
    guard let first = word.first, let last = word.last, word.count <= line.count else { return nil }
    for start in 0...(line.count - word.count) where line[start...].starts(with: word) {
      let end = start + word.count
      let isBroken =
        (isNamePart(first) && start > 0 && isNamePart(line[start - 1]))
        || (isNamePart(last) && end < line.count && isNamePart(line[end]))
      if !isBroken { return start }
    }
    return nil
  }

  private static func trimmedEnd(of line: [UInt8]) -> Int {
    line.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? 0
  }

  private static func contains(_ message: [UInt8], _ text: StaticString) -> Bool {
    text.withUTF8Buffer { text in
      message.indices.contains { message[$0...].starts(with: text) }
    }
  }

  private static func ends(_ message: [UInt8], with text: String) -> Bool {
    message.suffix(text.utf8.count).elementsEqual(text.utf8)
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte <= 0x20 }

  private static func isNamePart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
      true
    default: false
    }
  }
}
