import TideValues

/// A second connection to a database, for what takes its time: other threads use it, one after the
/// other.
final class BackgroundConnection: Sendable {
  private let path: String
  private let most: Int
  private let timeLimit: Duration?
  private let opened = Guarded<Box>(Box())

  private struct Box {
    var connection: SQLiteConnection?
  }

  /// Ends a statement that runs: when somebody asks for it, or its time is over.
  final class Ending: Sendable {
    private let hasEnded = Guarded(false)
    var isEnded: Bool { hasEnded.withLock { $0 } }
    func end() { hasEnded.withLock { $0 = true } }
  }

  /// - Parameters:
  ///   - most: the most bytes of one value.
  ///   - timeLimit: how long one statement may take; nil for no limit.
  init(_ path: String, most: Int, timeLimit: Duration?) {
    self.path = path
    self.most = most
    self.timeLimit = timeLimit
  }

  /// Does something with the connection, and waits for whoever uses it now.
  func use<Outcome>(
    until ending: Ending, _ body: (SQLiteConnection) throws(SQLiteFailure) -> Outcome
  ) -> Result<Outcome, SQLiteFailure> {
    opened.withLock { box in
      do throws(SQLiteFailure) {
        return .success(try use(&box, until: ending, body))
      } catch {
        return .failure(error)
      }
    }
  }

  private func use<Outcome>(
    _ box: inout Box, until ending: Ending,
    _ body: (SQLiteConnection) throws(SQLiteFailure) -> Outcome
  ) throws(SQLiteFailure) -> Outcome {
    let connection: SQLiteConnection
    if let known = box.connection { connection = known } else { connection = try open() }
    box.connection = connection
    let end = timeLimit.map { ContinuousClock.now + $0 }
    connection.interrupts = { ending.isEnded || end.map { ContinuousClock.now > $0 } == true }
    defer { connection.interrupts = nil }
    do throws(SQLiteFailure) { return try body(connection) } catch {
      guard error.isInterrupted, let timeLimit else { throw error }
      throw SQLiteFailure(
        code: error.code,
        message: "the statement took longer than \(timeLimit), which is all that a turn has")
    }
  }

  private func open() throws(SQLiteFailure) -> SQLiteConnection {
    let made = try SQLiteConnection(path, .readWrite, patience: Store.patienceOfTasks)
    made.limitValues(to: most)
    try made.configure(
      "PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY")
    return made
  }
}
