package import TideLua

/// Splits a typed, pasted or piped text into parts that run one after another: top-level statements
/// that begin a line, and meta commands.
///
/// ```swift
/// PromptScript("x = 1\nx + 1\n:mem").parts.map(\.text)   // ["x = 1", "x + 1", ":mem"]
/// ```
///
/// Statements connected by a jump or a `return` stay in one part.
package struct PromptScript {
  package struct Part: Equatable, Sendable {
    package let text: String
    /// The part's first line in the whole text, from 1.
    package let line: Int
  }

  package private(set) var parts: [Part] = []
  private var isOnePiece = false
  private var hasCommands = false

  package init(_ text: String) {
    guard text.utf8.contains(UInt8(ascii: "\n")) else {
      parts = [Part(text: text, line: 1)]
      return
    }
    let bytes = Array(text.utf8)
    let starts = findStarts(in: bytes)
    if isOnePiece && !hasCommands || starts.count < 2 {
      parts = [Part(text: text, line: 1)]
      return
    }
    var line = 1
    for (index, start) in starts.enumerated() {
      let begin = index == 0 ? 0 : start
      let end = index + 1 < starts.count ? starts[index + 1] : bytes.count
      let piece = bytes[begin..<end]
      let shown = piece.last == UInt8(ascii: "\n") ? piece.dropLast() : piece
      parts.append(Part(text: String(decoding: shown, as: UTF8.self), line: line))
      line += piece.reduce(0) { $0 + ($1 == UInt8(ascii: "\n") ? 1 : 0) }
    }
  }

  /// The offsets of lines that begin a statement or command.
  private mutating func findStarts(in bytes: [UInt8]) -> [Int] {
    var starts: [Int] = []
    var tokens = LuaTokens(bytes)
    var scanner = StatementScanner()
    var isAtStart = true
    while let token = tokens.next() {
      // Comments between two statements belong to the second.
      let lines = isAtStart ? (first: 0, last: tokens.lineStarts?.last ?? 0) : tokens.lineStarts
      isAtStart = false
      if let lines, scanner.isOutermost, Self.beginsCommand(at: token.range.lowerBound, bytes) {
        // Comments above a command do not belong to it.
        if starts.isEmpty, lines.last > 0 { starts.append(0) }
        starts.append(lines.last)
        hasCommands = true
        tokens.skip(to: bytes[lines.last...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count)
        isOnePiece = isOnePiece || scanner.isOnePiece
        scanner = StatementScanner()
        continue
      }
      if scanner.take(token, of: bytes), let lines { starts.append(lines.first) }
    }
    isOnePiece = isOnePiece || scanner.isOnePiece
    return starts
  }

  /// Whether a line begins with a command such as `:mem`; a method call such as `:map(f)` continues
  /// the previous line.
  private static func beginsCommand(at offset: Int, _ bytes: [UInt8]) -> Bool {
    guard bytes[offset] == UInt8(ascii: ":"), offset + 1 < bytes.count,
      LuaTokens.isNameStart(bytes[offset + 1])
    else { return false }
    let next = bytes[(offset + 1)...].first { !LuaTokens.isNamePart($0) }
    return next == nil || next.map { $0 <= 0x20 } == true
  }

  /// The parts to run. If a part of pure Lua text does not compile, only that part is returned, so
  /// that nothing runs.
  package func checkedParts(in lua: LuaState) -> [Part] {
    if parts.count < 2 || hasCommands { return parts }
    let wrong = parts.first { part in !PromptChunk(part.text).parses(in: lua) }
    return wrong.map { [$0] } ?? parts
  }
}
