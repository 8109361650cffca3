import TideGraph
import TideValues

/// How much memory the shared models of an app may still take.
///
/// ```swift
/// var room = SharingRoom(memory: 64 << 20, held: replica.heldBytes)
/// let held = changes.filter { room.admit($0, to: replica) == .admitted }
/// ```
///
/// A removal is always admitted, since it frees memory. So is a change that makes its key smaller,
/// while the turn has the memory to read it.
struct SharingRoom {
  /// Bytes that replicas may still hold; nil without a limit.
  private var free: Int?
  /// Bytes that the turn needs to take over what was admitted.
  private var work = 0

  /// - Parameters:
  ///   - memory: the app's limit in bytes; 0 for none.
  ///   - held: bytes that all models of the app hold.
  init(memory: Int, held: Int) {
    free = memory > 0 ? Self.capacity(ofMemory: memory) - held : nil
  }

  /// Bytes that all replicas may hold together. What stands for them in scripts takes about twice
  /// as much again, and a quarter of the app's memory stays free for its scripts.
  static func capacity(ofMemory memory: Int) -> Int { memory / 4 }

  /// Counts bytes as free that were held.
  mutating func release(_ bytes: Int) { free = free.map { $0 + bytes } }

  enum Verdict {
    case admitted
    /// A later turn has the memory to take the change over, which this one has used.
    case later
    case refused
  }

  /// Says whether there is memory for a change, which then counts as held.
  mutating func admit(_ change: SharingChange, to replica: SharedReplica) -> Verdict {
    if replica.knows(change) { return .admitted }
    let growth = replica.growth(by: change)
    if let free, growth > max(0, free) { return .refused }
    if let bytes = change.bytes {
      let needed =
        work + 3 * (change.heldBytes + max(0, growth)) + SharedDocument.weightOfFields(in: bytes)
      do throws(WorkError) { try WorkBudget.admit(bytes: needed) } catch {
        return work > 0 ? .later : .refused
      }
      work = needed
    }
    if let free { self.free = free - growth }
    return .admitted
  }
}
