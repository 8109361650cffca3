import TideGraph
import TideLua
import TideValues

/// The lines of one file that can run, and how often they did.
package struct FileCoverage: Sendable {
  /// From the project's folder.
  package let path: String
  /// Of its lines that can run, in their order.
  package let lines: [(number: Int, count: UInt32)]
  let text: [Substring]

  package var hits: Int { lines.count { $0.count > 0 } }
  package var misses: Int { lines.count - hits }

  /// - Parameter counts: by line, from 1.
  init(_ path: String, _ file: SpecFile, _ counts: [UInt32], _ lua: LuaState) throws {
    self.path = path
    // By bytes: "\r\n" is a single character, which is no "\n".
    let text = file.source.utf8.split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false
    ).map { Substring($0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0) }
    self.text = text
    lines = try lua.runnableLines(of: file.source).compactMap { number in
      guard number <= text.count, !Self.isBareEnd(text[number - 1]) else { return nil }
      return (number, number < counts.count ? counts[number] : 0)
    }
  }

  /// Whether a line only closes something. Lua gives such lines instructions of their own, for
  /// leaving a function or going back to a loop's beginning, that nobody means who reads the line.
  private static func isBareEnd(_ line: Substring) -> Bool {
    var rest = line
    while let first = rest.first {
      if " \t\r(){}[],;".contains(first) {
        rest.removeFirst()
      } else if rest.hasPrefix("--") {
        return true
      } else {
        let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        if !["end", "else", "do", "then", "repeat"].contains(word) { return false }
        rest.removeFirst(word.count)
      }
    }
    return true
  }

  /// The lines that did not run, neighbours joined: `3, 7-9`. Lines between them that cannot run do
  /// not part them.
  package var missedLines: String {
    var stretches: [(Int, Int)] = []
    var isOpen = false
    for (number, count) in lines {
      if count > 0 {
        isOpen = false
      } else if isOpen, let last = stretches.indices.last {
        stretches[last].1 = number
      } else {
        stretches.append((number, number))
        isOpen = true
      }
    }
    return stretches.map { $0 == $1 ? "\($0)" : "\($0)-\($1)" }.joined(separator: ", ")
  }
}

/// How often lines of files have run, over all runtimes of a run.
package final class CoverageRecord: Sendable {
  private let counts = Guarded<[String: [UInt32]]>([:])

  package init() {}

  /// Adds what one runtime counted, by the name under which it loaded the file.
  func add(_ more: [String: [UInt32]]) {
    counts.withLock { counts in
      for (file, lines) in more { counts[file, default: []].add(lines) }
    }
  }

  var all: [String: [UInt32]] { counts.withLock { $0 } }
}

extension [UInt32] {
  /// Adds counts line by line; what is too large stays the largest number.
  mutating func add(_ other: [UInt32]) {
    if count < other.count { append(contentsOf: repeatElement(0, count: other.count - count)) }
    for (line, more) in other.enumerated() where more > 0 {
      let (sum, isTooLarge) = self[line].addingReportingOverflow(more)
      self[line] = isTooLarge ? .max : sum
    }
  }
}
