import TideBindings
package import TideGraph
package import TideScript

/// The time that each part of an app took during a measurement.
///
/// ```swift
/// let session = try ProfileSession(runtime)
/// …
/// print(session.end().table())
/// ```
package struct ProfileReport: Sendable {
  /// The call tree; parents precede their children.
  package let nodes: [Profile.Node]
  /// The duration of the measurement, in seconds.
  package let seconds: Double
  /// The name of the measured script.
  package let title: String
  /// Each node's own time: its time without that of its children.
  package let ownSeconds: [Double]
  private let ownBytes: [Int]

  /// All runs with one name, added up.
  package struct Row: Equatable, Sendable {
    package let name: Profile.Name
    package var runs = 0
    /// The time including nested runs.
    package var seconds = 0.0
    /// The time excluding nested runs.
    package var ownSeconds = 0.0
    /// Bytes requested from the interpreter, excluding nested runs.
    package var ownBytes = 0
  }

  /// The totals by name, those with the most own time first.
  package var rows: [Row] {
    var rows: [Profile.Name: Row] = [:]
    for (index, node) in nodes.enumerated() {
      var row = rows[node.name] ?? Row(name: node.name)
      row.runs += node.runs
      // A recursive run counts once.
      if !ancestors(of: index).contains(where: { nodes[$0].name == node.name }) {
        row.seconds += node.seconds
      }
      row.ownSeconds += ownSeconds[index]
      row.ownBytes += ownBytes[index]
      rows[node.name] = row
    }
    return rows.values.sorted {
      ($0.ownSeconds, $0.runs, $1.name.text) > ($1.ownSeconds, $1.runs, $0.name.text)
    }
  }

  package init(_ nodes: [Profile.Node], seconds: Double, title: String) {
    self.nodes = nodes
    self.seconds = seconds
    self.title = title
    var times = nodes.map(\.seconds), bytes = nodes.map(\.bytes)
    for node in nodes {
      guard let parent = node.parent else { continue }
      times[parent] -= node.seconds
      bytes[parent] -= node.bytes
    }
    ownSeconds = times.map { max(0, $0) }
    ownBytes = bytes.map { max(0, $0) }
  }

  /// The indexes of a node's ancestors, the innermost first.
  package func ancestors(of index: Int) -> [Int] {
    var found: [Int] = []
    var next = nodes[index].parent
    while let index = next {
      found.append(index)
      next = nodes[index].parent
    }
    return found
  }
}

extension Profile.Name {
  /// `computed label.text, app.lua:3`.
  package var described: String {
    location.isEmpty ? "\(kind.rawValue) \(text)" : "\(kind.rawValue) \(text), \(location)"
  }
}

/// Measures an app until `end`.
///
/// Use it on the runtime's thread.
package final class ProfileSession {
  private let profile: Profile
  private let title: String
  private let start = ContinuousClock.now

  /// Starts the measurement.
  ///
  /// - Throws: `badArgument` if the app is already being measured.
  package init(_ runtime: Runtime) throws {
    guard let profile = runtime.beginProfile() else {
      throw TideError(.badArgument, "the app is being measured already; end that first")
    }
    self.profile = profile
    title = runtime.path.split(separator: "/").last.map(String.init) ?? runtime.path
  }

  /// Ends the measurement and returns its report.
  package func end() -> ProfileReport {
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    return ProfileReport(profile.end(), seconds: seconds, title: title)
  }
}
