import TideBindings
import TideScript

/// The result of a query.
protocol QueryFinding: Sendable {
  /// The memory of the values until the engine counts it; nil if the engine does not count it.
  var reservation: RowReservation? { get }
}

/// Reads a query again when its data changes: synchronously, or on another thread if the last read
/// took long.
///
/// A background read may miss writes made meanwhile, so the query is then read again.
final class QueryReader<Found: QueryFinding> {
  typealias Reading = @Sendable (SQLiteConnection) throws(SQLiteFailure) -> Found

  private let store: Store
  /// The owner of this reader, which follows the query.
  private unowned let owner: AnyObject
  /// Makes the current query.
  private let question: () -> Reading
  /// Adopts a result.
  private let take: (Found) throws -> Void
  /// Reports an error; nil after a success.
  private let note: ((any Error)?) -> Void
  /// Reports whether a background read is in progress.
  private let setLoading: (Bool) -> Void
  private var work: (() -> Void)?
  /// Whether a background read is in progress.
  private(set) var isReading = false
  private var isStale = false
  /// Whether this program has written all that the pending read may find.
  private var isOfOwnWrites = false
  private var hasEnded = false
  /// The duration of the last read.
  private var lastTime = Duration.zero

  /// Reads that take longer run on another thread.
  private static var longestAtOnce: Duration { .milliseconds(4) }

  init(
    _ store: Store, of owner: AnyObject, _ question: @escaping () -> Reading,
    take: @escaping (Found) throws -> Void, note: @escaping ((any Error)?) -> Void,
    setLoading: @escaping (Bool) -> Void = { _ in }
  ) {
    (self.store, self.owner, self.question) = (store, owner, question)
    (self.take, self.note, self.setLoading) = (take, note, setLoading)
  }

  private struct Timed: Sendable {
    let found: Found
    let time: Duration
  }

  private static func timed(
    _ reading: Reading, _ connection: SQLiteConnection
  ) throws(SQLiteFailure) -> Timed {
    let (start, worked) = (ContinuousClock.now, EventLoop.threadTime())
    let found = try reading(connection)
    // Waiting for a processor does not make the query slow, but waiting for the disk does.
    let work = Duration.seconds(EventLoop.threadTime() - worked)
    return Timed(found: found, time: max(work, (ContinuousClock.now - start) / 5))
  }

  /// Reads the query now.
  func read() throws {
    // The result may change again while it is adopted. After the last attempt, the next commit
    // updates it.
    for _ in 0..<Self.mostReadings {
      isStale = false
      let reading = question()
      let timed = try store.use { (connection) throws(SQLiteFailure) in
        try Self.timed(reading, connection)
      }
      lastTime = timed.time
      try takeOver(timed.found)
      if !isStale { return }
    }
    isStale = false
  }

  private static var mostReadings: Int { 3 }

  /// Requests another read with the current query; called while a result is adopted.
  func askAgain() { isStale = true }

  private func takeOver(_ found: Found) throws {
    if let runtime = store.home.runtime { try found.reservation?.pass(to: runtime.lua) }
    try take(found)
  }

  /// Reads the query on another thread.
  ///
  /// - Returns: a function that cancels the delivery of the result.
  func read(
    in runtime: Runtime, _ completion: @escaping (Result<Void, any Error>) -> Void
  ) -> () -> Void {
    let reading = question()
    isReading = true
    let performer = runtime.performer
    let cancel = store.work(in: runtime) { (connection) throws(SQLiteFailure) in
      try Self.timed(reading, connection)
    } finish: { [self, owner] result in
      withExtendedLifetime(owner) {
        isReading = false
        completion(Result { try takeWithinBudget(result.get(), of: performer) })
        if isStale {
          isStale = false
          store.home.runWithinBudget {
            store.following(ownWrites: isOfOwnWrites) { refresh() }
          }
        }
      }
    }
    return { [weak self] in
      cancel()
      self?.isReading = false
    }
  }

  private func takeWithinBudget(_ timed: Timed, of performer: Performer) throws {
    lastTime = timed.time
    var caught: (any Error)?
    func take() {
      do { try takeOver(timed.found) } catch { caught = error }
    }
    store.following(ownWrites: isOfOwnWrites) {
      if let runtime = store.home.runtime { runtime.complete(performer, take) } else { take() }
    }
    if let caught { throw caught }
  }

  /// Whether a read is pending only because this program has written.
  var isBehindOwnWrites: Bool { isReading && isOfOwnWrites }

  /// The data of the query has changed.
  func refresh() {
    if hasEnded { return }
    if isReading {
      isStale = true
      isOfOwnWrites = isOfOwnWrites && store.isFollowingOwnWrites
      return
    }
    isOfOwnWrites = store.isFollowingOwnWrites
    guard lastTime > Self.longestAtOnce, let runtime = store.home.runtime else {
      do {
        try read()
        note(nil)
      } catch {
        note(error)
      }
      return
    }
    setLoading(true)
    work = read(in: runtime) { [weak self] result in
      guard let self else { return }
      work = nil
      setLoading(false)
      if case .failure(let error) = result { note(error) } else { note(nil) }
    }
  }

  /// Stops reading, and cancels a background read.
  func end() {
    hasEnded = true
    work?()
    work = nil
  }
}

extension Store {
  /// Charges the app for the text and the parameters of a query, as long as the query follows the
  /// database. A script may start many queries with long parameters.
  func charge(for sql: String, _ parameters: SQLiteParameters) -> CountedText? {
    home.runtime?.bindings.hold(sql.utf8.count + parameters.length)
  }
}
