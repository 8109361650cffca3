import TideREPL

/// A script on standard input, read line by line and run chunk by chunk.
///
/// A chunk is compiled only where its tokens show that it may end, so that each line is scanned
/// once, however long the chunk becomes. Because an invalid chunk may never seem complete, it is
/// also compiled each time its length has doubled.
struct PipedScript {
  struct Chunk {
    let text: String
    let origin: ChunkOrigin
  }

  private var text = ""
  private var firstLine = 1
  private var lineCount = 0
  private var scanner = StatementScanner()
  /// The length at which the chunk is compiled in any case.
  private var nextTrial = 0

  /// Adds a line. Returns the chunk if it may end with this line.
  mutating func add(line: String) -> Chunk? {
    lineCount += 1
    if text.isEmpty {
      firstLine = lineCount
      // The first line of a script may be a `#!` line.
      if lineCount == 1, line.hasPrefix("#!") { return nil }
      // A command is always a line of its own.
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

  /// Removes a chunk that has run.
  mutating func removeChunk() {
    text = ""
    scanner = StatementScanner()
    nextTrial = 0
  }

  /// The incomplete chunk at the end of the input; nil if there is none.
  var rest: Chunk? { text.isEmpty ? nil : chunk }

  private var chunk: Chunk {
    Chunk(text: text, origin: ChunkOrigin(line: firstLine, isInput: true))
  }

  private func isCommand(_ line: String) -> Bool {
    let start = line.drop(while: \.isWhitespace)
    return start.isEmpty || start.first == ":" && !start.hasPrefix("::")
  }
}
