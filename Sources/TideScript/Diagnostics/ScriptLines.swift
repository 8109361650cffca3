/// The lines of a script, counted as the interpreter counts them: `\n`, `\r`, and the two of them
/// together end one.
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

  /// The byte at a line and a column, both from 1; the nearest one for a place that is not there.
  package func offset(line: Int, column: Int) -> Int {
    guard starts.indices.contains(line - 1) else { return line < 1 ? 0 : bytes.count }
    return min(max(starts[line - 1] + column - 1, starts[line - 1]), bytes.count)
  }

  /// Where the line after one begins, or the text ends.
  package func end(of number: Int) -> Int {
    starts.indices.contains(number) ? starts[number] : bytes.count
  }

  /// A line from 1, without its end and without a byte order mark; nil beyond the last.
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
