import CSQLite

/// A connection to a database, which one thread at a time uses.
///
/// ```swift
/// let connection = try SQLiteConnection("ledger.db", .readWrite)
/// try connection.run("INSERT INTO entry (payee) VALUES (?)", .positions([.text("baker")]))
/// ```
final class SQLiteConnection {
  let handle: OpaquePointer
  private var statements: [String: SQLiteStatement] = [:]
  /// Of the engine's own.
  private var ownStatements: [String: SQLiteStatement] = [:]
  private var watched = StatementTables()
  private var isTrusted = false
  /// Asked from time to time while a statement runs; true ends it.
  var interrupts: (() -> Bool)?

  enum Mode {
    case readWrite, inMemory
  }

  /// How many statements are kept ready.
  private static let mostStatements = 100
  /// After how many steps of SQLite's machine it asks whether to go on: some tens of microseconds.
  private static let stepsBetweenQuestions: Int32 = 1000

  /// The most that SQLite holds for all databases of the program, in bytes, unless a host has set a
  /// limit: what a query sorts lies in memory.
  private static let mostMemory: Int64 = 256 << 20

  init(_ path: String, _ mode: Mode, patience: Double) throws(SQLiteFailure) {
    if sqlite3_hard_heap_limit64(-1) == 0 { sqlite3_hard_heap_limit64(Self.mostMemory) }
    var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    switch mode {
    // Its path has no links; one that has come into it since is not followed.
    case .readWrite: flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOFOLLOW
    case .inMemory: flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY
    }
    var made: OpaquePointer?
    let code = sqlite3_open_v2(path, &made, flags, nil)
    guard code == SQLITE_OK, let made else {
      let failure = SQLiteFailure(of: made, code)
      sqlite3_close_v2(made)
      throw failure
    }
    handle = made
    sqlite3_busy_timeout(made, Int32(patience * 1000))
    _ = tide_sqlite_configure(made, SQLITE_DBCONFIG_DEFENSIVE, 1)
    _ = tide_sqlite_configure(made, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    _ = tide_sqlite_configure(made, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0)
    let context = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_progress_handler(
      made, Self.stepsBetweenQuestions,
      { context in
        guard let context else { return 0 }
        let connection = Unmanaged<SQLiteConnection>.fromOpaque(context).takeUnretainedValue()
        return connection.interrupts?() == true ? 1 : 0
      }, context)
    // Once: each new one has all statements be made ready again.
    sqlite3_set_authorizer(
      made,
      { context, action, first, second, _, _ in
        guard let context else { return SQLITE_OK }
        let connection = Unmanaged<SQLiteConnection>.fromOpaque(context).takeUnretainedValue()
        return connection.authorize(
          action, first.map { String(cString: $0) }, second.map { String(cString: $0) })
      }, context)
  }

  deinit {
    statements = [:]
    ownStatements = [:]
    sqlite3_close_v2(handle)
  }

  /// The most bytes of one value.
  func limitValues(to bytes: Int) {
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Int32(clamping: max(1 << 16, bytes)))
  }

  /// Whether closing it leaves the log as it is, rather than writing it into the file.
  func setKeepsLog(_ keepsLog: Bool) {
    _ = tide_sqlite_configure(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keepsLog ? 1 : 0)
  }

  // MARK: Statements

  /// Notes what the statement that is being prepared reads and writes.
  func watchingTables(_ body: () -> Int32) -> (Int32, StatementTables) {
    watched = StatementTables()
    return (body(), watched)
  }

  private func authorize(_ action: Int32, _ first: String?, _ second: String?) -> Int32 {
    isTrusted ? SQLITE_OK : watched.note(action, first, second)
  }

  /// Runs statements of the engine's own, which no rule for scripts is about.
  private func trusted<Result>(
    _ body: () throws(SQLiteFailure) -> Result
  ) throws(SQLiteFailure) -> Result {
    isTrusted = true
    defer { isTrusted = false }
    return try body()
  }

  /// The only statement in a text, ready to run.
  func statement(_ sql: String) throws(SQLiteFailure) -> SQLiteStatement {
    if let known = statements[sql] { return known }
    let (statement, rest) = try prepareChecked(Substring(sql))
    guard let statement else {
      throw SQLiteFailure(code: SQLITE_MISUSE, message: "there is no statement in this text")
    }
    if try prepareChecked(rest).statement != nil {
      throw SQLiteFailure(
        code: SQLITE_MISUSE,
        message: "there are several statements in this text; only migrations may have more than one"
      )
    }
    if statements.count >= Self.mostStatements { statements = [:] }
    statements[sql] = statement
    return statement
  }

  private func prepareChecked(
    _ sql: Substring
  ) throws(SQLiteFailure) -> (statement: SQLiteStatement?, rest: Substring) {
    do throws(SQLiteFailure) { return try prepare(sql) } catch {
      guard let reason = watched.refusal else { throw error }
      throw SQLiteFailure(code: SQLITE_AUTH, message: reason)
    }
  }

  /// Runs a statement to its end, whatever rows it gives.
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
    var rest = Substring(sql)
    while !rest.isEmpty {
      let prepared = try prepareChecked(rest)
      // A text ends for SQLite where it holds a zero.
      if prepared.rest.utf8.count >= rest.utf8.count {
        throw SQLiteFailure(code: SQLITE_MISUSE, message: "the text of the statements holds a zero")
      }
      rest = prepared.rest
      guard let statement = prepared.statement else { continue }
      try statement.bind(.none)
      while try statement.step() {}
    }
  }

  /// Runs statements of the engine's own.
  func configure(_ sql: String) throws(SQLiteFailure) {
    try trusted { () throws(SQLiteFailure) in
      let code = sqlite3_exec(handle, sql, nil, nil, nil)
      if code != SQLITE_OK { throw SQLiteFailure(of: handle, code) }
    }
  }

  /// The rows of one of the engine's own statements.
  func rows(
    _ sql: String, _ parameters: SQLiteParameters = .none
  ) throws(SQLiteFailure) -> [[SQLiteValue]] {
    try trusted { () throws(SQLiteFailure) in
      guard let statement = try prepare(Substring(sql)).statement else { return [] }
      try statement.bind(parameters)
      var rows: [[SQLiteValue]] = []
      while try statement.step() { rows.append(statement.columns.indices.map(statement.value)) }
      return rows
    }
  }

  /// Runs a statement of the engine's own that comes again and again.
  func runOwn(_ sql: String, _ values: [SQLiteValue]) throws(SQLiteFailure) {
    try trusted { () throws(SQLiteFailure) in
      let statement: SQLiteStatement
      if let known = ownStatements[sql] {
        statement = known
      } else {
        guard let made = try prepare(Substring(sql)).statement else { return }
        statement = made
      }
      ownStatements[sql] = statement
      defer { statement.reset() }
      try statement.bind(.positions(values))
      while try statement.step() {}
    }
  }

  /// A number that one of the engine's own statements gives.
  func number(_ sql: String) throws(SQLiteFailure) -> Int {
    if case .integer(let number)? = try rows(sql).first?.first { number } else { 0 }
  }

  var changeCount: Int { Int(sqlite3_changes64(handle)) }
  var lastRowID: Int { Int(sqlite3_last_insert_rowid(handle)) }
  /// Whether a transaction is open.
  var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// The columns of a table that make up its key; empty where it has none of its own.
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
