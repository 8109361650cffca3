import TideBindings
import TideCheck
import TideScript
import TideSystem

/// Finds the bytes of a problem: the word, quoted string or symbol at its location.
///
/// The checker counts lines as Lua does, where `\n\r` is one line end, so its lines may differ from
/// the client's.
struct ProblemRange {
  private let lines: ScriptLines

  init(in bytes: [UInt8]) { lines = ScriptLines(bytes) }

  func range(of problem: Problem) -> Range<Int> {
    let location = problem.error.location
    let number = max(1, location?.line ?? 1)
    let start = number == 1 ? 0 : lines.end(of: number - 1)
    let line = lines.text(of: number) ?? []
    let column =
      location?.column.map { $0 - 1 } ?? CulpritFinder.offset(in: line, of: problem.error.message)
    let first = min(max(0, column), line.count)
    return start + first..<start + Self.end(ofWordAt: first, in: line)
  }

  private static func end(ofWordAt start: Int, in line: [UInt8]) -> Int {
    guard start < line.count else { return start }
    let first = line[start]
    if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") {
      return end(ofStringAt: start, in: line)
    }
    if isOfWord(first) { return line[start...].firstIndex { !isOfWord($0) } ?? line.count }
    return start + 1
  }

  private static func end(ofStringAt start: Int, in line: [UInt8]) -> Int {
    var index = start + 1
    while index < line.count {
      if line[index] == line[start] { return index + 1 }
      index += line[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return line.count
  }

  /// Bytes beyond ASCII belong to words, so that no position splits a character.
  private static func isOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
      true
    default: false
    }
  }
}
