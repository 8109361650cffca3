import TideBindings
package import TideGraph
package import TideScript

/// Where the time of an app went while it was measured.
///
/// ```swift
/// let session = try ProfileSession(runtime)
/// …
/// print(session.end().table())
/// ```
package struct ProfileReport: Sendable {
  /// What ran inside of what; outer ones come before inner ones.
  package let nodes: [Profile.Node]
  /// How long it was measured, in seconds.
  package let seconds: Double
  /// What was measured: the script's name.
  package let title: String
  /// For each node, its time without that of its children; and its bytes.
  package let ownSeconds: [Double]
  private let ownBytes: [Int]

  /// All runs of one thing.
  package struct Row: Equatable, Sendable {
    package let name: Profile.Name
    package var runs = 0
    /// With what ran inside of it.
    package var seconds = 0.0
    /// Without.
    package var ownSeconds = 0.0
    /// Bytes that the interpreter was asked for, without those of what ran inside.
    package var ownBytes = 0
  }

  /// What each took for itself, the longest first.
  package var rows: [Row] {
    var rows: [Profile.Name: Row] = [:]
    for (index, node) in nodes.enumerated() {
      var row = rows[node.name] ?? Row(name: node.name)
      row.runs += node.runs
      // What runs inside of itself is counted once.
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

  /// The indexes of the nodes around one, the innermost first.
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

/// Measures an app until it is ended.
///
/// It belongs to the runtime's owner.
package final class ProfileSession {
  private let profile: Profile
  private let title: String
  private let start = ContinuousClock.now

  /// Begins.
  ///
  /// - Throws: `badArgument` where somebody measures the app already.
  package init(_ runtime: Runtime) throws {
    guard let profile = runtime.beginProfile() else {
      throw TideError(.badArgument, "the app is being measured already; end that first")
    }
    self.profile = profile
    title = runtime.path.split(separator: "/").last.map(String.init) ?? runtime.path
  }

  /// Ends, and gives what was found.
  package func end() -> ProfileReport {
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    return ProfileReport(profile.end(), seconds: seconds, title: title)
  }
}
