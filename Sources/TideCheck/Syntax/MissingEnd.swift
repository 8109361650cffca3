import TideScript

/// A block without its `end`, found by the indentation of the lines.
///
/// ```lua
/// timer = every(1, function()
///   if left == 0 then timer:cancel()     -- the `if` has no `end`
/// end)
/// ```
struct MissingEnd {
  /// The word that begins the block, and its offset.
  let opener: String
  let offset: Int
  /// Where to insert the text that closes the block.
  let insertion: Int
  let text: String

  /// The most bytes of a script in which a block is looked for. People indent scripts of that size,
  /// and the text after a mistake in a larger one is not read.
  static let sizeLimit = 1 << 16
  /// The most blocks that are tried.
  private static let attempts = 8

  private struct Block {
    let opener: LuaToken
    /// The indentation of its first line, and the line's offset.
    let indent: Int
    let line: Int
    /// Whether its `do` is still to come.
    var awaitsDo: Bool
  }

  /// The only `end` that has to be inserted for the text to parse; nil if there is none.
  static func find(in bytes: [UInt8]) -> MissingEnd? {
    var lexer = LuaLexer(bytes, isTolerant: true)
    var blocks: [Block] = []
    var (line, indent, lastEnd, tried) = (0, 0, 0, 0)
    while tried < attempts, let token = try? lexer.next() {
      let gap = bytes[lastEnd..<max(lastEnd, token.range.lowerBound)]
      let isFirst = lastEnd == 0 || gap.contains(UInt8(ascii: "\n"))
      if isFirst {
        line = gap.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        indent = token.kind == .end ? -1 : token.range.lowerBound - line
        while tried < attempts, let block = blocks.last, block.line < line,
          isLeft(block, by: token, indent)
        {
          tried += 1
          let found = MissingEnd(block, after: lastEnd, bytes)
          if found.closes(bytes) { return found }
          blocks.removeLast()
        }
      } else if token.kind == .end, let block = blocks.last {
        let found = MissingEnd(block, after: lastEnd, bytes)
        return found.closes(bytes) ? found : nil
      }
      if token.kind == .end { return nil }
      lastEnd = token.range.upperBound
      read(token, Block(opener: token, indent: indent, line: line, awaitsDo: false), &blocks)
    }
    return nil
  }

  private static func read(_ token: LuaToken, _ block: Block, _ blocks: inout [Block]) {
    guard token.kind == .keyword else { return }
    switch token.text {
    case "for", "while":
      var block = block
      block.awaitsDo = true
      blocks.append(block)
    case "do":
      if blocks.last?.awaitsDo == true {
        blocks[blocks.count - 1].awaitsDo = false
      } else {
        blocks.append(block)
      }
    case "if", "function", "repeat": blocks.append(block)
    case "end", "until": _ = blocks.popLast()
    default: break
    }
  }

  /// Whether a line that begins with a token stands outside of a block.
  private static func isLeft(_ block: Block, by token: LuaToken, _ indent: Int) -> Bool {
    if indent != block.indent { return indent < block.indent }
    return token.kind == .name || token.kind == .keyword && beginning.contains(token.text)
  }

  private static let beginning: Set = [
    "local", "if", "for", "while", "repeat", "function", "return", "do", "break", "goto",
  ]

  private init(_ block: Block, after end: Int, _ bytes: [UInt8]) {
    opener = block.opener.text
    offset = block.opener.range.lowerBound
    insertion = end
    let isOneLine = !bytes[block.line..<end].contains(UInt8(ascii: "\n"))
    let blanks = bytes[block.line..<(block.line + max(block.indent, 0))]
    text = isOneLine ? " end" : "\n" + String(decoding: blanks, as: UTF8.self) + "end"
  }

  private func closes(_ bytes: [UInt8]) -> Bool {
    let closed = bytes[..<insertion] + Array(text.utf8) + bytes[insertion...]
    guard var parser = try? LuaParser(Array(closed)) else { return false }
    return (try? parser.script()) != nil
  }
}
