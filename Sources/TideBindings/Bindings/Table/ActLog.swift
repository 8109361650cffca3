import TideGraph

/// The named acts that cause changes, such as a key press, a click or a fetch. Each change stores
/// the number of its act.
///
/// The log holds the latest `most` acts. Consecutive acts with one name, such as typing into one
/// field, share an entry.
struct ActLog {
  private struct Act {
    let name: String
    /// The number of the last change before the act began.
    let start: UInt64
  }

  private var acts: [Act] = []
  private var latest = 0

  private static let most = 4096

  /// Returns the number of an act that begins after the change with a sequence number.
  mutating func number(of name: String, after sequence: UInt64) -> UInt16 {
    if acts.indices.contains(latest), acts[latest].name == name { return UInt16(latest + 1) }
    let act = Act(name: name, start: sequence)
    if acts.count < Self.most {
      acts.append(act)
      latest = acts.count - 1
    } else {
      latest = (latest + 1) % Self.most
      acts[latest] = act
    }
    return UInt16(latest + 1)
  }

  /// The name of the act that made a change, or nil if the log no longer holds it.
  func name(of change: Change) -> String? {
    let index = Int(change.act) - 1
    guard acts.indices.contains(index), acts[index].start < change.sequence else { return nil }
    return acts[index].name
  }
}

extension BindingTable {
  /// Attributes all changes that a function makes to a named act, such as `a press of Down`.
  package func acting<Result>(
    as name: @autoclosure () -> String, _ body: () throws -> Result
  ) rethrows -> Result {
    guard graph.keepsHistory else { return try body() }
    let act = acts.number(of: name(), after: graph.latestSequence)
    return try graph.during(act: act, body)
  }
}
