import TideScript

/// The tokens of a text that is being typed, with access to the comments between them.
struct SourceTokens {
  enum Part {
    case code, string, comment
  }

  let bytes: [UInt8]
  private(set) var tokens: [LuaToken] = []

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var lexer = LuaLexer(bytes, isTolerant: true)
    while let token = try? lexer.next(), token.kind != .end { tokens.append(token) }
  }

  /// The index of the first token that ends after an offset.
  private func index(endingBehind offset: Int) -> Int {
    var low = 0
    var high = tokens.count
    while low < high {
      let middle = (low + high) / 2
      if tokens[middle].range.upperBound <= offset { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The part that contains a caret. The end of an unfinished string is still in the string.
  func part(at caret: Int) -> Part {
    let index = index(endingBehind: caret)
    if index < tokens.count, tokens[index].range.lowerBound < caret {
      return tokens[index].kind == .string ? .string : .code
    }
    if index > 0, case let before = tokens[index - 1], before.range.upperBound == caret,
      before.kind == .string, !isClosed(before)
    {
      return .string
    }
    let start = index > 0 ? tokens[index - 1].range.upperBound : 0
    return comments(in: start..<caret, of: bytes.count).contains { comment in
      comment.contains(caret - 1) && (comment.upperBound > caret || endsOpen(comment, at: caret))
    } ? .comment : .code
  }

  private func isClosed(_ string: LuaToken) -> Bool {
    let text = bytes[string.range]
    guard let first = text.first, let last = text.last, text.count > 1 else { return false }
    return first == UInt8(ascii: "[") ? last == UInt8(ascii: "]") : first == last
  }

  /// Whether a caret at the end of a comment is still in it, as it is in a line comment.
  private func endsOpen(_ comment: Range<Int>, at caret: Int) -> Bool {
    guard comment.upperBound == caret else { return false }
    let isLong = bytes[comment].dropFirst(2).first == UInt8(ascii: "[")
    return !isLong || bytes[comment].last != UInt8(ascii: "]")
  }

  /// The comments that begin in a gap between two tokens; they may end after it.
  func comments(in gap: Range<Int>, of end: Int) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var offset = gap.lowerBound
    while offset + 1 < gap.upperBound {
      guard bytes[offset] == UInt8(ascii: "-"), bytes[offset + 1] == UInt8(ascii: "-") else {
        offset += 1
        continue
      }
      let stop = commentEnd(from: offset)
      found.append(offset..<stop)
      offset = max(stop, offset + 2)
    }
    return found
  }

  private func commentEnd(from start: Int) -> Int {
    var offset = start + 2
    if offset < bytes.count, bytes[offset] == UInt8(ascii: "[") {
      var level = offset + 1
      while level < bytes.count, bytes[level] == UInt8(ascii: "=") { level += 1 }
      if level < bytes.count, bytes[level] == UInt8(ascii: "[") {
        let closing =
          [UInt8(ascii: "]")] + Array(repeating: UInt8(ascii: "="), count: level - offset - 1)
          + [UInt8(ascii: "]")]
        var end = level + 1
        while end < bytes.count, !bytes[end...].starts(with: closing) { end += 1 }
        return min(end + closing.count, bytes.count)
      }
    }
    while offset < bytes.count, bytes[offset] != UInt8(ascii: "\n"),
      bytes[offset] != UInt8(ascii: "\r")
    {
      offset += 1
    }
    return offset
  }

  /// All comments.
  var comments: [Range<Int>] {
    var start = 0
    var found: [Range<Int>] = []
    for token in tokens {
      found += comments(in: start..<token.range.lowerBound, of: bytes.count)
      start = token.range.upperBound
    }
    return found + comments(in: start..<bytes.count, of: bytes.count)
  }

  // MARK: Blocks

  /// The bracketed ranges: tables, parentheses, and blocks up to their `end`. Inner ranges come
  /// before outer ones.
  var blocks: [Range<Int>] {
    var open: [LuaToken] = []
    var counts: [String: Int] = [:]
    var found: [Range<Int>] = []
    func close(_ opening: [String], _ token: LuaToken) {
      // A counter avoids a search if nothing can be closed.
      guard opening.contains(where: { counts[$0, default: 0] > 0 }),
        let index = open.lastIndex(where: { opening.contains($0.text) })
      else { return }
      found.append(open[index].range.lowerBound..<token.range.upperBound)
      for closed in open[index...] { counts[closed.text, default: 0] -= 1 }
      open.removeSubrange(index...)
    }
    for token in tokens {
      switch (token.kind, token.text) {
      case (.keyword, "function"), (.keyword, "if"), (.keyword, "for"), (.keyword, "while"),
        (.keyword, "repeat"), (.symbol, "{"), (.symbol, "("):
        open.append(token)
        counts[token.text, default: 0] += 1
      case (.keyword, "do"):
        // The `do` of a loop belongs to the loop.
        if let last = open.last, ["for", "while"].contains(last.text) { break }
        open.append(token)
        counts[token.text, default: 0] += 1
      case (.keyword, "end"): close(["function", "if", "for", "while", "do"], token)
      case (.keyword, "until"): close(["repeat"], token)
      case (.symbol, "}"): close(["{"], token)
      case (.symbol, ")"): close(["("], token)
      default: break
      }
    }
    return found
  }
}
