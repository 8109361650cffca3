import TideGraph

/// What people have done, and what has come from elsewhere, by the numbers that changes keep: a press
/// of a key, a click, a fetch.
///
/// The latest few thousand are known. What is done again and again, as typing into one field, is
/// one.
struct ActLog {
  private struct Act {
    let name: String
    /// The change before the first one that may be its.
    let start: UInt64
  }

  private var acts: [Act] = []
  private var latest = 0

  private static let most = 4096

  /// The number of something that begins after a change.
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

  /// In the course of what something changed; nil where that is not known any more.
  func name(of change: Change) -> String? {
    let index = Int(change.act) - 1
    guard acts.indices.contains(index), acts[index].start < change.sequence else { return nil }
    return acts[index].name
  }
}

extension BindingTable {
  /// What changes meanwhile, something has set off that has a name: `a press of Down`.
  package func acting<Result>(
    as name: @autoclosure () -> String, _ body: () throws -> Result
  ) rethrows -> Result {
    guard graph.keepsHistory else { return try body() }
    let act = acts.number(of: name(), after: graph.latestSequence)
    return try graph.during(act: act, body)
  }
}
