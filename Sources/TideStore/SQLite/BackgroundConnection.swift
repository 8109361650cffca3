import CTideSQLite
import TideSystem
import TideValues

/// A second connection to a database for slow statements, shared by worker threads one at a time.
final class BackgroundConnection: Sendable {
  private let file: DatabaseFile
  private let most: Int
  private let timeLimit: Duration?
  private let account: SQLiteAccount
  private let opened = Guarded<Box>(Box())
  /// The queue of work for the connection.
  let queue = WorkQueue()

  private struct Box {
    var connection: SQLiteConnection?
  }

  /// Ends a statement that runs on another thread.
  final class Ending: Sendable {
    // Unsafe, because it is a pointer: the flag itself is read and written atomically.
    nonisolated(unsafe) fileprivate let flag = UnsafeMutablePointer<Int32>.allocate(capacity: 1)

    init() { flag.initialize(to: 0) }
    deinit { flag.deallocate() }

    func end() { tide_sqlite_end(flag) }
  }

  /// - Parameters:
  ///   - most: the most bytes of one value.
  ///   - timeLimit: how long one statement may take; nil for no limit.
  init(_ file: DatabaseFile, most: Int, timeLimit: Duration?, account: SQLiteAccount) {
    self.file = file
    self.most = most
    self.timeLimit = timeLimit
    self.account = account
  }

  /// Runs a function with the connection, after earlier users.
  func use<Outcome>(
    until ending: Ending, _ body: (SQLiteConnection) throws(SQLiteFailure) -> Outcome
  ) -> Result<Outcome, SQLiteFailure> {
    opened.withLock { box in
      do throws(SQLiteFailure) {
        let connection: SQLiteConnection
        if let known = box.connection { connection = known } else { connection = try open() }
        box.connection = connection
        return .success(try connection.using(until: ending.flag, body))
      } catch {
        return .failure(error)
      }
    }
  }

  private func open() throws(SQLiteFailure) -> SQLiteConnection {
    let made = try SQLiteConnection(
      file.path, .readWrite, patience: Store.patienceOfTasks, account: account, file: file)
    made.limitValues(to: most)
    made.timeLimit = timeLimit
    try made.configure(
      "PRAGMA synchronous = NORMAL; \(SQLiteConnection.settings)", isTimed: true)
    return made
  }
}
