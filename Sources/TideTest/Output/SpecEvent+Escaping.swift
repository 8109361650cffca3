import TideSystem
import TideBindings

/// Names and messages of tests may contain any text of a spec or of the compared values. Reports
/// for people escape events before styling them; those for programs use the escapes of their
/// format.
extension SpecEvent {
  /// The event with terminal control characters escaped. Output of specs is unchanged.
  var escapingControls: SpecEvent {
    switch self {
    case .fileStart(let node): .fileStart(node.escapingControls)
    case .fileEnd(let node): .fileEnd(node.escapingControls)
    case .blockStart(let node): .blockStart(node.escapingControls)
    case .blockEnd(let node): .blockEnd(node.escapingControls)
    case .testStart(let node): .testStart(node.escapingControls)
    case .testEnd(let node, let status): .testEnd(node.escapingControls, status)
    case .problem(let node, let problem):
      .problem(node.escapingControls, problem.escapingControls)
    case .listed(let node): .listed(node.escapingControls)
    case .suiteStart, .suiteEnd, .output, .notice, .exit: self
    }
  }
}

extension SpecNode {
  fileprivate var escapingControls: SpecNode {
    var node = self
    node.name = name?.escapingControls
    node.fullName = fullName.escapingControls
    node.trace = trace?.escapingControls
    node.test = test?.escapingControls
    node.failedAttempts = failedAttempts.map(\.escapingAllButColors)
    node.artifacts = artifacts.map(\.escapingControls)
    return node
  }
}

extension SpecProblem {
  fileprivate var escapingControls: SpecProblem {
    var problem = self
    problem.message = message?.escapingAllButColors
    problem.trace = trace?.escapingControls
    problem.source?.text = (source?.text ?? "").escapingControls
    problem.source?.file = (source?.file ?? "").escapingControls
    return problem
  }
}

extension SpecTrace {
  fileprivate var escapingControls: SpecTrace {
    var trace = self
    trace.file = file.escapingControls
    trace.traceback = traceback?.escapingControlsInLines
    return trace
  }
}

extension String {
  /// Escapes control characters, except for the colours with which `assert.same` marks differences.
  fileprivate var escapingAllButColors: String {
    let parts = split(separator: "\u{1b}", omittingEmptySubsequences: false)
    var result = String(parts.first ?? "").escapingControlsInLines
    for part in parts.dropFirst() {
      if let color = Self.colors.first(where: { part.hasPrefix($0) }) {
        result += "\u{1b}" + color
        result += String(part.dropFirst(color.count)).escapingControlsInLines
      } else {
        result += ("\u{1b}" + String(part)).escapingControlsInLines
      }
    }
    return result
  }

  private static let colors = [
    "[0m", "[31m", "[32m", "[33m", "[34m", "[35m", "[36m", "[37m",
  ]
}
