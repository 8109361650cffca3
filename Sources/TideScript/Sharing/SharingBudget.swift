import Synchronization

/// What the shared models of one app may take together, however many there are: bytes that wait, the
/// time of a turn, and updates that are on their way.
///
/// Each model may have its share of the bytes and updates at any time, and more while the others
/// leave room. It belongs to the runtime's owner.
final class SharingBudget {
  /// Bytes that may wait in all backlogs together.
  private let capacity: Int
  private(set) var waitingBytes = 0
  private var modelCount = 0
  /// The models with changes that wait.
  private var waitingCount = 0
  /// What the models' mailboxes may hold.
  let mailboxes = MailboxShare()

  /// - Parameter memory: the app's limit in bytes; 0 for none.
  init(memory: Int) {
    capacity = memory > 0 ? max(1 << 20, memory / 8) : 32 << 20
  }

  /// Counts a model.
  func add(_ count: Int) { modelCount += count }

  /// Notes how many bytes wait for a model.
  func note(_ bytes: Int, before: Int) {
    waitingBytes += bytes - before
    waitingCount += (bytes > 0 ? 1 : 0) - (before > 0 ? 1 : 0)
  }

  /// Whether so many bytes may wait for one model.
  func admits(_ bytes: Int) -> Bool {
    waitingBytes < capacity || bytes < capacity / max(1, modelCount)
  }

  /// Among how many models a turn is divided.
  var turnShares: Int { max(1, waitingCount) }

  /// How many updates of a model may be on their way.
  ///
  /// - Parameter others: those of all others that are.
  func mostSent(beside others: Int) -> Int {
    max(Self.mostSent / max(1, modelCount), Self.mostSent - others, 1)
  }

  /// So many updates may be on their way at once: more would not be answered in time.
  static let mostSent = 20_000
}

/// Bytes that the mailboxes of one app may hold together before engines had better send no more.
/// Any thread may use it.
final class MailboxShare: Sendable {
  private let count = Atomic(0)

  func add(_ number: Int) { count.wrappingAdd(number, ordering: .relaxed) }

  /// What each of the mailboxes may hold.
  var capacity: Int {
    max(Self.leastBytes, Self.mostBytes / max(1, count.load(ordering: .relaxed)))
  }

  static let mostBytes = 8 << 20
  private static let leastBytes = 64 << 10
}
