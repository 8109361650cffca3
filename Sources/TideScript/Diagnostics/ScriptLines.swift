/// The lines of a script, counted as the interpreter does: `\n`, `\r`, or both together end a line.
package struct ScriptLines {
  package let bytes: [UInt8]
  private let starts: [Int]

  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var starts = [0]
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      guard Self.isEnd(byte) else { continue }
      if index < bytes.count, Self.isEnd(bytes[index]), bytes[index] != byte { index += 1 }
      starts.append(index)
    }
    self.starts = starts
  }

  /// The line and the column of a byte, both from 1.
  package func location(of offset: Int) -> (line: Int, column: Int) {
    var low = 0
    var high = starts.count
    while low + 1 < high {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle } else { high = middle }
    }
    return (low + 1, offset - starts[low] + 1)
  }

  /// The byte offset of a line and column, both from 1, clamped to the text.
  package func offset(line: Int, column: Int) -> Int {
    guard starts.indices.contains(line - 1) else { return line < 1 ? 0 : bytes.count }
    return min(max(starts[line - 1] + column - 1, starts[line - 1]), bytes.count)
  }

  /// The end of a line, including its line end.
  package func end(of number: Int) -> Int {
    starts.indices.contains(number) ? starts[number] : bytes.count
  }

  /// The text of a line, from 1, without its line end and byte order mark; nil beyond the last
  /// line.
  package func text(of number: Int) -> [UInt8]? {
    guard starts.indices.contains(number - 1) else { return nil }
    let start = starts[number - 1]
    var line = bytes[start..<(number < starts.count ? starts[number] : bytes.count)]
    while let last = line.last, Self.isEnd(last) { line.removeLast() }
    if number == 1, line.starts(with: ScriptFile.byteOrderMark) {
      line.removeFirst(ScriptFile.byteOrderMark.count)
    }
    return Array(line)
  }

  private static func isEnd(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
  }
}
