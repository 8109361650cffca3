import TideREPL

/// A script on standard input, which comes line by line and runs chunk by chunk.
///
/// A chunk is tried where words and signs say that it may end, so that each line is read once,
/// however long the chunk becomes. Since a wrong one may never seem to end, it is tried, too, each
/// time that it has doubled.
struct PipedScript {
  struct Chunk {
    let text: String
    let origin: ChunkOrigin
  }

  private var text = ""
  private var firstLine = 1
  private var lineCount = 0
  private var scanner = StatementScanner()
  /// The length from which the chunk is tried whatever it seems.
  private var nextTrial = 0

  /// Takes a line; gives the chunk that may end with it.
  mutating func add(line: String) -> Chunk? {
    lineCount += 1
    if text.isEmpty {
      firstLine = lineCount
      // The first line of a script may name its interpreter.
      if lineCount == 1, line.hasPrefix("#!") { return nil }
      // A command has its line to itself.
      if isCommand(line) {
        text = line
        return chunk
      }
    } else {
      text += "\n"
    }
    text += line
    scanner.add(line: line)
    guard scanner.mayEnd || text.utf8.count >= nextTrial else { return nil }
    nextTrial = 2 * text.utf8.count
    return chunk
  }

  /// Forgets a chunk that has run.
  mutating func removeChunk() {
    text = ""
    scanner = StatementScanner()
    nextTrial = 0
  }

  /// What is left at the end; nil for nothing.
  var rest: Chunk? { text.isEmpty ? nil : chunk }

  private var chunk: Chunk {
    Chunk(text: text, origin: ChunkOrigin(line: firstLine, isInput: true))
  }

  private func isCommand(_ line: String) -> Bool {
    let start = line.drop(while: \.isWhitespace)
    return start.isEmpty || start.first == ":" && !start.hasPrefix("::")
  }
}
