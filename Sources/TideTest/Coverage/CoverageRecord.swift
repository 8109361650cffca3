import TideGraph
import TideValues

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
