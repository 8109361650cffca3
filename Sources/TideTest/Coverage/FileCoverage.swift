import TideGraph
import TideLua
import TideValues

/// The measured lines of one file, with their execution counts.
package struct FileCoverage: Sendable {
  /// Relative to the project's folder.
  package let path: String
  /// The measured lines in order.
  package let lines: [(number: Int, count: UInt32)]
  let text: [Substring]

  package var hits: Int { lines.count { $0.count > 0 } }
  package var misses: Int { lines.count - hits }

  /// - Parameter counts: execution counts by line number, from 1.
  init(_ path: String, _ file: SpecFile, _ counts: [UInt32], _ rules: CountedLines) throws {
    self.path = path
    // Splits bytes, because Swift treats "\r\n" as a single character.
    text = file.source.utf8.split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false
    ).map { Substring($0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0) }
    lines = try rules.find(in: file).enumerated().compactMap { index, rule in
      let count = index + 1 < counts.count ? counts[index + 1] : 0
      return rule == .always || (rule == .whenRun && count > 0) ? (index + 1, count) : nil
    }
  }

  /// The lines that did not run, as ranges: `3, 7-9`. A range may include lines that are not
  /// measured.
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

/// Decides which lines are measured, by luacov's rules.
final class CountedLines {
  enum Rule: UInt8 {
    case always = 0x6C  // "l"
    case whenRun = 0x72  // "r"
    case never = 0x2D  // "-"
  }

  private let lua: LuaState
  private let rules: LuaFunction?

  init() throws {
    var configuration = LuaConfiguration()
    // Analysing a long file may take long.
    configuration.turn = nil
    lua = try LuaState(configuration)
    rules = try EmbeddedSource.all["tidelock.test.counted"]?.load(in: lua).call([]).first?.function
  }

  /// A rule for each line.
  func find(in file: SpecFile) throws -> [Rule] {
    let letters = try rules?.call([.bytes(file.bytes)]).first?.text ?? ""
    return letters.utf8.map { Rule(rawValue: $0) ?? .never }
  }
}

/// Execution counts of lines, summed over all runtimes of a run.
package final class CoverageRecord: Sendable {
  private let counts = Guarded<[String: [UInt32]]>([:])

  package init() {}

  /// Adds the counts of one runtime, by the name under which it loaded each file.
  func add(_ more: [String: [UInt32]]) {
    counts.withLock { counts in
      for (file, lines) in more { counts[file, default: []].add(lines) }
    }
  }

  var all: [String: [UInt32]] { counts.withLock { $0 } }
}

extension [UInt32] {
  /// Adds counts line by line; saturates at the maximum.
  mutating func add(_ other: [UInt32]) {
    if count < other.count { append(contentsOf: repeatElement(0, count: other.count - count)) }
    for (line, more) in other.enumerated() where more > 0 {
      let (sum, isTooLarge) = self[line].addingReportingOverflow(more)
      self[line] = isTooLarge ? .max : sum
    }
  }
}
