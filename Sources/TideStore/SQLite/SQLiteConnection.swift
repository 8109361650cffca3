import CSQLite
import CTideSQLite
import TideLua
import TideValues

/// A connection to a database, for use by one thread at a time.
///
/// ```swift
/// let connection = try SQLiteConnection("ledger.db", .readWrite)
/// try connection.run("INSERT INTO entry (payee) VALUES (?)", .positions([.text("baker")]))
/// ```
final class SQLiteConnection {
  let handle: OpaquePointer
  private var statements: [String: SQLiteStatement] = [:]
  /// Prepared statements of the engine.
  private var ownStatements: [String: SQLiteStatement] = [:]
  private var watched = StatementTables()
  private(set) var isTrusted = false
  private var isPreparing = false
  private var isStepping = false
  /// Whether the running statement runs other statements inside.
  private var runsOthers = false
  /// Whether the running statement may be prepared again after a schema change.
  private var admitsAnew = false
  /// Whether that was prevented, because the statement has to be measured first.
  private(set) var wasKeptFromAnew = false
  /// The rows that statements have inserted or moved; see ``InsertedRows``.
  var inserted: InsertedRows.Origins = [:]
  var insertedCount = 0
  private let account: SQLiteAccount?
  /// Retained, since SQLite uses the path also when it closes the files beside the database.
  private let file: DatabaseFile?
  private let isInMemory: Bool
  /// The time limit of a statement; nil for no limit beside the turn's.
  var timeLimit: Duration?
  /// The most bytes of a value: in statements of the engine, and of scripts.
  private var mostBytes = (own: Int32.max, script: Int32.max)

  enum Mode {
    case readWrite, inMemory
  }

  static let uncheckedInMemory = "a database in memory cannot be checked"

  /// Temporary files are kept in memory, where they are counted; see `files.c`. Pages are checked
  /// before they are read, since the file may be from anyone.
  static let settings =
    "PRAGMA foreign_keys = ON; PRAGMA temp_store = FILE; PRAGMA cell_size_check = ON;"

  /// Bytes of a statement beside its text and SQLite's own memory.
  private static let weightOfStatement = 500
  /// The most prepared statements to cache.
  private static let mostStatements = 100
  /// The most memory of SQLite for all databases, in bytes, if the program has used SQLite before
  /// and its memory cannot be counted.
  private static let mostMemory: Int64 = 256 << 20

  /// - Parameters:
  ///   - account: counts the connection's memory; nil to count none.
  ///   - file: the file of the path. Its folder stays open as long as the connection.
  init(
    _ path: String, _ mode: Mode, patience: Double, account: SQLiteAccount? = nil,
    file: DatabaseFile? = nil
  ) throws(SQLiteFailure) {
    if !tide_sqlite_start(), sqlite3_hard_heap_limit64(-1) == 0 {
      sqlite3_hard_heap_limit64(Self.mostMemory)
    }
    self.account = account
    self.file = file
    isInMemory = mode == .inMemory
    handle = try Self.open(path, mode, account)
    tide_sqlite_set_patience(handle, Int32(patience * 1000))
    let context = Unmanaged.passUnretained(self).toOpaque()
    // Set only once, because each call invalidates all prepared statements.
    sqlite3_set_authorizer(
      handle,
      { context, action, first, second, _, _ in
        guard let context else { return SQLITE_DENY }
        let connection = Unmanaged<SQLiteConnection>.fromOpaque(context).takeUnretainedValue()
        return connection.authorize(
          action, first.map { String(cString: $0) }, second.map { String(cString: $0) })
      }, context)
    recordInsertions()
  }

  private static func open(
    _ path: String, _ mode: Mode, _ account: SQLiteAccount?
  ) throws(SQLiteFailure) -> OpaquePointer {
    var use = TideSQLiteUse()
    use.account = account?.raw
    var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    if mode == .inMemory { flags |= SQLITE_OPEN_MEMORY }
    var made: OpaquePointer?
    let code = withUnsafeMutablePointer(to: &use) { use in
      tide_sqlite_begin_use(use)
      defer { tide_sqlite_end_use(use) }
      let code = sqlite3_open_v2(path, &made, flags, tide_sqlite_file_system())
      guard code == SQLITE_OK, let made else { return code }
      return tide_sqlite_guard(made)
    }
    if code == SQLITE_OK, let made { return made }
    let failure = SQLiteFailure(of: made, code)
    sqlite3_close_v2(made)
    throw failure
  }

  deinit {
    statements = [:]
    ownStatements = [:]
    sqlite3_close_v2(handle)
  }

  /// Limits the bytes of one value.
  func limitValues(to bytes: Int) {
    let own = Int32(clamping: max(1 << 16, bytes))
    mostBytes = (own, min(own, Self.mostOfScripts))
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, mostBytes.script)
  }

  /// SQLite processes a value without interruption, so a longer one could outlast a turn.
  private static let mostOfScripts: Int32 = 16 << 20

  /// Measures a prepared statement.
  ///
  /// - Throws: `SQLITE_TOOBIG` if the statement takes too long even for short values.
  func measure(
    _ text: StatementText.Part, of statement: OpaquePointer
  ) throws(SQLiteFailure) -> TideSQLiteCost {
    var cost = TideSQLiteCost()
    let (most, isOwn) = (isTrusted ? mostBytes.own : mostBytes.script, isTrusted)
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, most)
    cost.longest = most
    // EXPLAIN does not run the statement.
    if sqlite3_stmt_isexplain(statement) != 0 { return cost }
    let known = watched
    isPreparing = true
    defer { (isPreparing, watched) = (false, known) }
    let code = text.withBytes { start, length in
      tide_sqlite_measure(handle, start, length, most, isOwn, &cost)
    }
    switch code ?? SQLITE_OK {
    case SQLITE_OK: return cost
    case SQLITE_INTERRUPT: throw .interrupted(after: timeLimit)
    case SQLITE_TOOBIG:
      throw SQLiteFailure(
        code: SQLITE_TOOBIG, message: "the statement does too much at once; make several of it")
    case let code: throw SQLiteFailure(of: handle, code)
    }
  }

  func limitStatement(to cost: TideSQLiteCost) {
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, cost.longest)
  }

  func tooLong(_ cost: TideSQLiteCost) -> String {
    if cost.longest >= mostBytes.script { return "string or blob too big" }
    return
      "string or blob too big; in this statement values may have \(cost.longest) bytes, because "
      + "it does much with each"
  }

  /// Runs a statement up to its next row.
  ///
  /// - Parameter isMeasured: whether it has just been measured, so that it may be prepared again.
  func step(
    _ statement: OpaquePointer, runsOthers: Bool, isMeasured: Bool, changesRows: Bool
  ) -> Int32 {
    (isStepping, self.runsOthers, admitsAnew) = (true, runsOthers, isMeasured)
    wasKeptFromAnew = false
    defer { isStepping = false }
    return changesRows ? recordMoves { sqlite3_step(statement) } : sqlite3_step(statement)
  }

  /// Runs a function with the connection, within its account and time limit.
  ///
  /// - Parameter ending: a flag with which another thread ends the statement.
  func using<Result>(
    until ending: UnsafePointer<Int32>? = nil,
    _ body: (SQLiteConnection) throws(SQLiteFailure) -> Result
  ) throws(SQLiteFailure) -> Result {
    var use = TideSQLiteUse()
    use.account = account?.raw
    use.isTimed = true
    if let timeLimit { use.deadline = tide_sqlite_now() &+ timeLimit.clampedNanoseconds }
    use.ending = ending
    return try withUnsafeMutablePointer(to: &use) { (use) throws(SQLiteFailure) in
      tide_sqlite_begin_use(use)
      defer { tide_sqlite_end_use(use) }
      do throws(SQLiteFailure) { return try body(self) } catch {
        // The time limit may also surface as an error of memory or of reading the file.
        if use.pointee.wasStopped { throw SQLiteFailure.interrupted(after: timeLimit) }
        throw error
      }
    }
  }

  /// Whether closing the connection leaves the log instead of writing it into the file.
  func setKeepsLog(_ keepsLog: Bool) {
    _ = tide_sqlite_configure(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keepsLog ? 1 : 0)
  }

  // MARK: Statements

  /// Records the tables of the statement that is being prepared.
  func watchingTables(_ body: () -> Int32) -> (Int32, StatementTables) {
    watched = StatementTables()
    isPreparing = true
    defer { isPreparing = false }
    return (body(), watched)
  }

  private func authorize(_ action: Int32, _ first: String?, _ second: String?) -> Int32 {
    // Pragma tables are authorized by statements of their own.
    if !isPreparing, !runsOthers, isStepping, !admitsAnew, action != SQLITE_PRAGMA {
      wasKeptFromAnew = true
      return SQLITE_DENY
    }
    if isTrusted { return SQLITE_OK }
    // SQLite checks a database in memory without interruption.
    if isInMemory, action == SQLITE_PRAGMA,
      ["integrity_check", "quick_check"].contains(first?.lowercased())
    {
      return watched.refuse(Self.uncheckedInMemory)
    }
    // Reading a view that uses another view many times takes long.
    if tide_sqlite_is_over() { return SQLITE_DENY }
    return watched.admit(action, first, second, isPreparing: isPreparing)
  }

  /// Runs statements of the engine, which are not restricted like those of scripts. They have the
  /// same time limit, since tables may be views and triggers of another program.
  private func trusted<Result>(
    _ body: () throws(SQLiteFailure) -> Result
  ) throws(SQLiteFailure) -> Result {
    isTrusted = true
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, mostBytes.own)
    defer {
      sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, mostBytes.script)
      isTrusted = false
    }
    return try using { (_) throws(SQLiteFailure) in try body() }
  }

  /// The only statement in a text, prepared for the current schema.
  func currentStatement(_ sql: String) throws(SQLiteFailure) -> SQLiteStatement {
    // Makes SQLite notice schema changes of other connections.
    _ = try number("SELECT count(*) FROM (SELECT 1 FROM sqlite_schema LIMIT 1)")
    statements[sql] = nil
    return try statement(sql)
  }

  /// The only statement in a text, prepared.
  func statement(_ sql: String) throws(SQLiteFailure) -> SQLiteStatement {
    if let known = statements[sql] { return known }
    var text = StatementText(sql)
    guard let statement = try prepareChecked(&text) else {
      throw SQLiteFailure(code: SQLITE_MISUSE, message: "there is no statement in this text")
    }
    if try hasStatement(&text) {
      throw SQLiteFailure(
        code: SQLITE_MISUSE,
        message: "there are several statements in this text; only migrations may have more than one"
      )
    }
    let reservation = newReservation()
    guard reservation.grow(by: Self.weightOfStatement + 2 * sql.utf8.count) else {
      throw SQLiteFailure(code: SQLITE_NOMEM, message: "out of memory")
    }
    statement.reservation = reservation
    if statements.count >= Self.mostStatements { statements = [:] }
    statements[sql] = statement
    return statement
  }

  /// Whether a further statement follows.
  private func hasStatement(_ text: inout StatementText) throws(SQLiteFailure) -> Bool {
    do throws(SQLiteFailure) { return try prepareChecked(&text) != nil } catch {
      if [SQLITE_INTERRUPT, SQLITE_NOMEM].contains(error.primary) || tide_sqlite_is_over() {
        throw error
      }
      // It cannot be prepared yet: it may depend on the preceding statement.
      return true
    }
  }

  func prepareChecked(
    _ text: inout StatementText
  ) throws(SQLiteFailure) -> SQLiteStatement? {
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, mostBytes.script)
    do throws(SQLiteFailure) {
      let statement = try prepare(&text)
      if statement?.isListing == true {
        throw SQLiteFailure(
          code: SQLITE_AUTH,
          message: "EXPLAIN is not for scripts; EXPLAIN QUERY PLAN tells which indexes are used")
      }
      return statement
    } catch {
      if tide_sqlite_is_over() { throw error }
      guard let reason = watched.refusal else { throw error }
      throw SQLiteFailure(code: SQLITE_AUTH, message: reason)
    }
  }

  /// Runs a statement to its end, and ignores its rows.
  @discardableResult
  func run(
    _ sql: String, _ parameters: SQLiteParameters = .none
  ) throws(SQLiteFailure) -> StatementTables {
    let statement = try statement(sql)
    defer { statement.reset() }
    try statement.bind(parameters)
    while try statement.step() {}
    return statement.tables
  }

  /// Runs all statements of a text.
  func runAll(_ sql: String) throws(SQLiteFailure) {
    var text = StatementText(sql)
    while !text.isAtEnd {
      let start = text.offset
      let statement = try prepareChecked(&text)
      // SQLite ends a text at a zero byte.
      if text.offset <= start {
        throw SQLiteFailure(code: SQLITE_MISUSE, message: "the text of the statements holds a zero")
      }
      guard let statement else { continue }
      try statement.bind(.none)
      while try statement.step() {}
    }
  }

  /// Runs statements of the engine that control transactions or set options. The end of a turn does
  /// not interrupt them unless they are timed.
  func configure(_ sql: String, isTimed: Bool = false) throws(SQLiteFailure) {
    isTrusted = true
    defer { isTrusted = false }
    // Reading the schema may need longer texts than scripts may have.
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, mostBytes.own)
    defer { sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, mostBytes.script) }
    var use = TideSQLiteUse()
    use.account = account?.raw
    use.isTimed = isTimed
    if let timeLimit { use.deadline = tide_sqlite_now() &+ timeLimit.clampedNanoseconds }
    let code = withUnsafeMutablePointer(to: &use) { use in
      tide_sqlite_begin_use(use)
      defer { tide_sqlite_end_use(use) }
      return sqlite3_exec(handle, sql, nil, nil, nil)
    }
    if use.wasStopped { throw .interrupted(after: timeLimit) }
    if code != SQLITE_OK { throw SQLiteFailure(of: handle, code) }
  }

  /// The rows of a statement of the engine.
  func rows(
    _ sql: String, _ parameters: SQLiteParameters = .none
  ) throws(SQLiteFailure) -> [[SQLiteValue]] {
    try trusted { () throws(SQLiteFailure) in
      var text = StatementText(sql)
      guard let statement = try prepare(&text) else { return [] }
      try statement.bind(parameters)
      var rows: [[SQLiteValue]] = []
      let reservation = newReservation()
      while try statement.step() { rows.append(try statement.values(reservation)) }
      return rows
    }
  }

  /// Runs a statement of the engine, and caches it.
  func runOwn(_ sql: String, _ values: [SQLiteValue]) throws(SQLiteFailure) {
    try trusted { () throws(SQLiteFailure) in
      let statement: SQLiteStatement
      if let known = ownStatements[sql] {
        statement = known
      } else {
        var text = StatementText(sql)
        guard let made = try prepare(&text) else { return }
        statement = made
      }
      ownStatements[sql] = statement
      defer { statement.reset() }
      try statement.bind(.positions(values))
      while try statement.step() {}
    }
  }

  /// Runs a function in the open transaction, or else in one of its own. If the function throws,
  /// its own transaction is rolled back.
  func inTransaction(
    _ body: () throws(SQLiteFailure) -> Void
  ) throws(SQLiteFailure) {
    if isInTransaction { return try body() }
    try configure("BEGIN IMMEDIATE")
    do throws(SQLiteFailure) {
      try body()
      try configure("COMMIT")
    } catch {
      if isInTransaction { try? configure("ROLLBACK") }
      throw error
    }
  }

  /// The integer result of a statement of the engine; 0 without one.
  func number(_ sql: String) throws(SQLiteFailure) -> Int {
    if case .integer(let number)? = try rows(sql).first?.first { number } else { 0 }
  }

  /// A reservation for rows on their way to scripts.
  func newReservation() -> RowReservation { RowReservation(account) }

  var changeCount: Int { Int(sqlite3_changes64(handle)) }
  var lastRowID: Int { Int(sqlite3_last_insert_rowid(handle)) }
  /// Whether a transaction is open.
  var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// The key columns of a table; empty if it has no declared key.
  func keyColumns(of table: String) throws(SQLiteFailure) -> [String] {
    let name = table.replacing("\"", with: "\"\"")
    var keys: [(place: Int, name: String)] = []
    for row in try rows("PRAGMA table_info(\"\(name)\")") {
      guard case .text(let column) = row[1], case .integer(let place) = row[5], place > 0 else {
        continue
      }
      keys.append((place, column))
    }
    return keys.sorted { $0.place < $1.place }.map(\.name)
  }
}
