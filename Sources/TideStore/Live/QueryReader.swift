import TideBindings
import TideScript

/// What a query has found.
protocol QueryFinding: Sendable {
  /// What its values take until the engine measures them; nil for what it does not measure.
  var reservation: RowReservation? { get }
}

/// Asks a query again when what it reads has changed: at once, or on another thread where it took
/// long.
///
/// What is written while another thread reads may be missing in what that finds, so it asks once
/// more.
final class QueryReader<Found: QueryFinding> {
  typealias Reading = @Sendable (SQLiteConnection) throws(SQLiteFailure) -> Found

  private let store: Store
  /// What follows the query, which has this.
  private unowned let owner: AnyObject
  /// The question as it is now.
  private let question: () -> Reading
  /// Takes over what was found.
  private let take: (Found) throws -> Void
  /// Hears of what went wrong; nil where nothing did.
  private let note: ((any Error)?) -> Void
  /// Hears whether another thread reads.
  private let setLoading: (Bool) -> Void
  private var work: (() -> Void)?
  private var isReading = false
  private var isStale = false
  private var hasEnded = false
  /// How long the query took last.
  private var lastTime = Duration.zero

  /// What takes longer is asked for on another thread.
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
    // A thread that waits for a processor is not slow at its query; one that waits for the disk is.
    let work = Duration.seconds(EventLoop.threadTime() - worked)
    return Timed(found: found, time: max(work, (ContinuousClock.now - start) / 5))
  }

  /// Asks at once.
  func read() throws {
    // What another program keeps changing is right after its next commit.
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

  /// Has the question, which is another now, be asked once more; called by what takes an answer.
  func askAgain() { isStale = true }

  private func takeOver(_ found: Found) throws {
    if let runtime = store.home.runtime { try found.reservation?.pass(to: runtime.lua) }
    try take(found)
  }

  /// Asks on another thread.
  ///
  /// - Returns: what keeps the answer from coming.
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
          refresh()
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
    store.home.runWithinBudget {
      if let runtime = store.home.runtime { runtime.complete(performer, take) } else { take() }
    }
    if let caught { throw caught }
  }

  /// What it reads has changed.
  func refresh() {
    if hasEnded { return }
    if isReading {
      isStale = true
      return
    }
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

  /// Lets nothing come any more.
  func end() {
    hasEnded = true
    work?()
    work = nil
  }
}
