import Synchronization

/// The resources that the shared models of one app may use together: the bytes of waiting changes,
/// the time of a turn, and updates in flight.
///
/// Each model may use its share of the bytes and updates at any time, and more if the others leave
/// room. It belongs to the runtime's owner.
final class SharingBudget {
  /// The most bytes that may wait in all backlogs together.
  private let capacity: Int
  private(set) var waitingBytes = 0
  private var modelCount = 0
  /// The number of models with waiting changes.
  private var waitingCount = 0
  /// Divides the capacity among the models' mailboxes.
  let mailboxes = MailboxShare()

  /// - Parameter memory: the app's limit in bytes; 0 for none.
  init(memory: Int) {
    capacity = memory > 0 ? max(1 << 20, memory / 8) : 32 << 20
  }

  /// Changes the number of models.
  func add(_ count: Int) { modelCount += count }

  /// Records the number of bytes that wait for a model.
  func note(_ bytes: Int, before: Int) {
    waitingBytes += bytes - before
    waitingCount += (bytes > 0 ? 1 : 0) - (before > 0 ? 1 : 0)
  }

  /// Whether one model may have this number of waiting bytes.
  func admits(_ bytes: Int) -> Bool {
    waitingBytes < capacity || bytes < capacity / max(1, modelCount)
  }

  /// The number of models that share a turn.
  var turnShares: Int { max(1, waitingCount) }

  /// The most updates of a model that may be in flight.
  ///
  /// - Parameter others: the number of updates of all other models in flight.
  func mostSent(beside others: Int) -> Int {
    max(Self.mostSent / max(1, modelCount), Self.mostSent - others, 1)
  }

  /// The most updates in flight. More would not be answered in time.
  static let mostSent = 20_000
}

/// The bytes that the mailboxes of one app may hold together. Beyond them, engines should pause.
/// Any thread may use it.
final class MailboxShare: Sendable {
  private let count = Atomic(0)

  func add(_ number: Int) { count.wrappingAdd(number, ordering: .relaxed) }

  /// The bytes that each mailbox may hold.
  var capacity: Int {
    max(Self.leastBytes, Self.mostBytes / max(1, count.load(ordering: .relaxed)))
  }

  static let mostBytes = 8 << 20
  private static let leastBytes = 64 << 10
}
