/// An `else if` that is meant as `elseif`: with the one word the text parses.
///
/// ```lua
/// if day == "sat" then rest()
/// else if day == "sun" then rest()     -- needs a second `end`
/// end
/// ```
enum SplitElseif {
  /// The most places that are tried.
  private static let attempts = 8

  /// The offset of the first `else if` in a text with a syntax error that is to be one word; nil if
  /// that does not mend the text.
  static func find(in bytes: [UInt8]) -> Int? {
    var lexer = LuaLexer(bytes, isTolerant: true)
    var former: LuaToken?
    var places: [Range<Int>] = []
    while places.count < attempts, let token = try? lexer.next(), token.kind != .end {
      if token.isKeyword("if"), let word = former, word.isKeyword("else"),
        !bytes[word.range.upperBound..<token.range.lowerBound].contains(UInt8(ascii: "\n"))
      {
        places.append(word.range.upperBound..<token.range.lowerBound)
      }
      former = token
    }
    if let place = places.first(where: { parses(bytes, without: [$0]) }) {
      return place.lowerBound - "else".utf8.count
    }
    guard places.count > 1, parses(bytes, without: places) else { return nil }
    return places[0].lowerBound - "else".utf8.count
  }

  private static func parses(_ bytes: [UInt8], without gaps: [Range<Int>]) -> Bool {
    var joined = bytes
    for gap in gaps.reversed() { joined.removeSubrange(gap) }
    guard var parser = try? LuaParser(joined) else { return false }
    return (try? parser.script()) != nil
  }
}
