import TideGraph
import TideValues

/// The memory that the shared models of an app may still use.
///
/// ```swift
/// var room = SharingRoom(memory: 64 << 20, held: replica.heldBytes)
/// let held = changes.filter { room.admit($0, to: replica) == .admitted }
/// ```
///
/// A removal is always admitted, since it frees memory. A change that makes its key smaller is
/// admitted as long as the turn has the memory to read it.
struct SharingRoom {
  /// Bytes that replicas may still hold; nil without a limit.
  private var free: Int?
  /// Whether the turn has reserved the memory for all of its changes.
  private var isReserved = false
  /// Whether a change was admitted that uses memory of the turn.
  private var hasWork = false
  /// Bytes for which the turn has no memory. Asking again would collect garbage each time.
  private var leastRefused = Int.max

  /// - Parameters:
  ///   - memory: the app's limit in bytes; 0 for none.
  ///   - held: bytes that all models of the app hold.
  init(memory: Int, held: Int) {
    free = memory > 0 ? Self.capacity(ofMemory: memory) - held : nil
  }

  /// The bytes that all replicas may hold together. Their values in scripts take about twice as
  /// much again, and a quarter of the app's memory stays free for its scripts.
  static func capacity(ofMemory memory: Int) -> Int { memory / 4 }

  /// Marks held bytes as free.
  mutating func release(_ bytes: Int) { free = free.map { $0 + bytes } }

  /// Requests the memory for all changes of a turn at once. If that is too much, each change is
  /// checked separately.
  mutating func reserve(for changes: [SharingChange], of replica: SharedReplica) {
    let bytes = changes.reduce(0) { sum, change in
      sum + (replica.knows(change) ? 0 : Self.work(of: change, replica.growth(by: change)))
    }
    isReserved = isAdmitted(bytes)
  }

  /// Bytes that a turn needs to adopt a change; 0 for a removal.
  private static func work(of change: SharingChange, _ growth: Int) -> Int {
    guard let bytes = change.bytes else { return 0 }
    return 3 * (change.heldBytes + max(0, growth)) + SharedDocument.weightOfFields(in: bytes)
  }

  private func isAdmitted(_ bytes: Int) -> Bool {
    if bytes == 0 { return true }
    do throws(WorkError) { try WorkBudget.admit(bytes: bytes) } catch { return false }
    return true
  }

  enum Verdict {
    case admitted
    /// This turn's memory is used up. A later turn can adopt the change.
    case later
    case refused
  }

  /// Checks whether there is memory for a change. An admitted change counts as held.
  mutating func admit(_ change: SharingChange, to replica: SharedReplica) -> Verdict {
    if replica.knows(change) { return .admitted }
    let growth = replica.growth(by: change)
    if let free, growth > max(0, free) { return .refused }
    let needed = Self.work(of: change, growth)
    if !isReserved, needed > 0 {
      if needed >= leastRefused { return .refused }
      if !isAdmitted(needed) {
        if hasWork { return .later }
        leastRefused = needed
        return .refused
      }
      hasWork = true
    }
    if let free { self.free = free - growth }
    return .admitted
  }
}
