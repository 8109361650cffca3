import CSQLite
public import TideBindings
import TideGraph
import TideLua
import TideScript
import TideSystem
import TideValues

/// A database that a script has opened, with the queries and models that follow it.
///
/// ```lua
/// local db = store.open("ledger.db")
/// local recent = db:list("SELECT * FROM entry ORDER BY day DESC")
/// ```
///
/// Statements run synchronously on a connection of the runtime's thread, or in tasks on a
/// background connection. The object belongs to the runtime's owner.
public final class Store: DataObject {
  static let storeShape = Shape(
    name: "store",
    properties: [
      PropertyDescription("path", .string, isReadOnly: true),
      PropertyDescription("error", .string, isReadOnly: true),
    ], swiftClasses: [ObjectIdentifier(Store.self)])

  private enum Index: Int {
    case path, error
  }

  let home: Home
  /// The name that the script passed.
  let name: String
  let connection: SQLiteConnection
  let file: DatabaseFile?
  /// Counts the memory that SQLite uses for the app.
  private let account: SQLiteAccount
  /// For waiting tasks; nil for a database in memory, which other connections cannot reach.
  private let background: BackgroundConnection?
  private var queries: [WeakQuery] = []
  /// Queries to refresh in a later turn, because this one ran out of time.
  private var behind: [WeakQuery] = []
  /// Whether this program has written all that those queries may find.
  private var isBehindOwnWrites = false
  private var catchingUp: LoopTimer?
  private var others: OtherWriters?
  private(set) lazy var keeper = ModelKeeper(self)
  /// Identifies this session as the author of values.
  private(set) lazy var authorship = Relay(WeakStore(store: self))
  /// The nesting depth of open transactions of scripts.
  var transactionDepth = 0
  /// Tables that the open transaction has written.
  var written = StatementTables()
  /// What was written since removed rows were last looked for.
  var unreviewed = StatementTables()
  /// Rows that the open transaction has inserted.
  var inserted = InsertedRows()
  /// Why SQLite has rolled back the open transaction; nil while it is intact.
  var rollbackReason: String?
  /// Undo steps for a rollback of the open transaction, run last to first.
  var rollbackSteps: [() -> Void] = []
  /// Whether the edits of a list are being written.
  var isWritingEdits = false
  /// What to do when the open transaction commits.
  var commitSteps: [() -> Void] = []
  /// Whether queries are refreshed because this program has written.
  var isFollowingOwnWrites: Bool { isRefreshingByOwn || runningStatements > 0 }
  var isRefreshingByOwn = false
  /// Statements of tasks on another thread.
  private var runningStatements = 0
  /// Listed errors about overwritten values.
  var listedLosses: [RowLosses.Place: ListedLoss] = [:]

  private struct WeakQuery {
    weak var query: (any StoreQuery)?
  }

  /// Seconds to wait for other writers.
  static let patience = 1.0
  static let patienceOfTasks = 5.0

  /// - Parameters:
  ///   - file: the file; nil for a database in memory.
  ///   - copies: whether to open a temporary copy of the file in memory.
  init(
    _ name: String, at file: DatabaseFile?, _ account: SQLiteAccount, copying copies: Bool = false,
    in runtime: Runtime
  ) throws(TideError) {
    home = runtime.home
    self.name = name
    let original = copies ? file : nil
    let contents = file?.contents
    let file = copies ? nil : file
    self.file = file
    self.account = account
    if contents == .other {
      throw TideError(
        .store,
        "\"\(name.inMessage)\" is no database, and stays as it is: give another name, or remove it")
    }
    let most = runtime.configuration.limits.value
    do throws(SQLiteFailure) {
      (connection, trouble) = (try Self.connect(file, most, account), nil)
    } catch {
      guard error.isCorrupt, let file else { throw error.error(name) }
      (connection, trouble) = try Self.beginAnew(file, name, error, most, account)
    }
    if let original { try DatabaseCopy(of: original, name).fill(connection) }
    let limit = runtime.configuration.lua.turn
    connection.timeLimit = limit
    background = file.map {
      BackgroundConnection($0, most: most, timeLimit: limit, account: account)
    }
    super.init(shape: Self.storeShape)
    put(.path, .string(name))
    note(nil)
    if let trouble { runtime.bindings.list(trouble) }
  }

  private static func connect(
    _ file: DatabaseFile?, _ most: Int, _ account: SQLiteAccount
  ) throws(SQLiteFailure) -> SQLiteConnection {
    let connection = try SQLiteConnection(
      file?.path ?? ":memory:", file == nil ? .inMemory : .readWrite, patience: Self.patience,
      account: account, file: file)
    connection.limitValues(to: most)
    // Closing an unreadable database would delete its log.
    connection.setKeepsLog(true)
    // Detects unreadable files by reading the schema. This may take long for a file of another
    // program with many tables, or for a long log.
    try connection.configure(
      """
      PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; \(SQLiteConnection.settings)
      SELECT count(*) FROM sqlite_schema;
      """, isTimed: true)
    connection.setKeepsLog(false)
    return connection
  }

  /// Moves an unreadable database aside, and creates a new one with its permissions.
  private static func beginAnew(
    _ file: DatabaseFile, _ name: String, _ failure: SQLiteFailure, _ most: Int,
    _ account: SQLiteAccount
  ) throws(TideError) -> (SQLiteConnection, TideError) {
    guard case .database(let mode) = file.contents else { throw failure.error(name) }
    let other: String
    do throws(BrokenFile.Failure) {
      other = try BrokenFile(file.path, with: ["-wal", "-shm", "-journal"]).moveAside()
    } catch .system(let reason) {
      throw TideError(
        .store,
        "\"\(name.inMessage)\": \(failure.message); it cannot be put aside: \(SystemText.of(reason))"
      )
    } catch {
      throw TideError(
        .store,
        "\"\(name.inMessage)\": \(failure.message); it cannot be put aside, because \(BrokenFile.most) "
          + "broken ones are kept already; remove them")
    }
    do throws(SQLiteFailure) {
      let kept = name + other.dropFirst(file.path.count)
      file.begin(mode: mode)
      return (
        try connect(file, most, account),
        TideError(
          .store,
          "\"\(name.inMessage)\" cannot be read: \(failure.message); it is kept as "
            + "\"\(kept.inMessage)\", and a new one was begun")
      )
    } catch {
      throw error.error(name)
    }
  }

  private func put(_ index: Index, _ value: Value) {
    _ = try? write(index.rawValue, value, byHost: true)
  }

  /// The error found when the file was opened.
  private let trouble: TideError?

  /// Shows the error of a query or model that follows the database; nil shows the error found at
  /// opening, if any.
  func note(_ error: TideError?) {
    put(.error, (error ?? trouble).map { .string($0.message) } ?? .null)
  }

  // MARK: Statements

  /// Runs a function with the connection, and converts its errors.
  func use<Result>(
    _ body: (SQLiteConnection) throws(SQLiteFailure) -> Result
  ) throws(TideError) -> Result {
    if let runtime = home.runtime {
      account.setLimit(by: runtime.lua)
      connection.timeLimit = runtime.lua.turnLimit
    }
    if let rollbackReason {
      throw TideError(
        .store,
        "\"\(name.inMessage)\": the transaction has been rolled back already, because of an error "
          + "before: \(rollbackReason); let its function end, and begin another one")
    }
    do throws(SQLiteFailure) {
      return try connection.using(body)
    } catch {
      // INSERT OR ROLLBACK, RAISE(ROLLBACK), and failures of the disk or memory end the
      // transaction.
      if isInTransaction, !connection.isInTransaction { rollbackReason = error.message }
      throw error.error(name)
    }
  }

  /// Runs a statement synchronously. Returns the number of changed rows, and the key of the last
  /// inserted one.
  func run(_ sql: String, _ parameters: SQLiteParameters) throws -> StatementOutcome {
    reviewRemovals(before: sql)
    let outcome = try use { (connection) throws(SQLiteFailure) in
      try StatementOutcome.run(sql, parameters, connection)
    }
    noteWriting(outcome, home.runtime?.lastingEffects)
    return outcome
  }

  /// Runs a statement on another thread.
  ///
  /// - Parameters:
  ///   - performer: on whose behalf it runs.
  ///   - effects: the effects of the handler that runs it.
  /// - Returns: a function that cancels the delivery of the result.
  func run(
    _ sql: String, _ parameters: SQLiteParameters, in runtime: Runtime, as performer: Performer,
    _ effects: LastingEffects,
    _ completion: @escaping (Result<StatementOutcome, TideError>) -> Void
  ) -> () -> Void {
    runningStatements += 1
    var isRunning = true
    let end = { [weak self] in
      if isRunning { self?.runningStatements -= 1 }
      isRunning = false
    }
    let cancel = work(in: runtime) { (connection) throws(SQLiteFailure) in
      try StatementOutcome.run(sql, parameters, connection)
    } finish: { [weak self, weak runtime] result in
      end()
      if let self, let runtime, case .success(let outcome) = result {
        runtime.complete(performer) { noteWriting(outcome, effects) }
      }
      completion(result)
    }
    return {
      end()
      cancel()
    }
  }

  /// Runs a function with another connection, on another thread.
  func work<Outcome: Sendable>(
    in runtime: Runtime,
    _ body: @escaping @Sendable (SQLiteConnection) throws(SQLiteFailure) -> Outcome,
    finish: @escaping (Result<Outcome, TideError>) -> Void
  ) -> () -> Void {
    guard let background else {
      let result = Result { () throws(TideError) in try use(body) }
      let timer = runtime.loop.after(0) { finish(result) }
      return { timer.cancel() }
    }
    account.setLimit(by: runtime.lua)
    let (name, ending) = (name, BackgroundConnection.Ending())
    let work = runtime.loop.work(
      on: background.queue,
      { () -> Result<Outcome, SQLiteFailure> in
        background.use(until: ending, body)
      }
    ) { result in
      finish(result.mapError { $0.error(name) })
    }
    return {
      ending.end()
      work.cancel()
    }
  }

  /// Opens a second connection that is independent of this runtime; nil for a database in memory.
  func openAnother() throws(SQLiteFailure) -> SQLiteConnection? {
    guard let file else { return nil }
    let made = try SQLiteConnection(file.path, .readWrite, patience: Self.patience, file: file)
    made.limitValues(to: .max)
    try made.configure("PRAGMA synchronous = NORMAL; \(SQLiteConnection.settings)", isTimed: true)
    return made
  }

  /// The path that identifies the database's file; nil for a database in memory.
  var fileName: String? { file?.name }

  /// Identifies the database among those that keep shared models.
  var sharedFile: String { file?.name ?? "copy of \(name)" }

  /// The path with which the file is opened; nil for a database in memory.
  var filePath: String? { file?.path }

  var isInTransaction: Bool { transactionDepth > 0 }

  /// Whether statements of tasks may run on another thread now: not in a transaction, and not while
  /// a version of the app starts, since its lists must be filled when they are first shown.
  var letsTasksWait: Bool {
    guard transactionDepth == 0, let loader = home.runtime?.loader else { return false }
    return !loader.isStarting && loader.rollback == nil
  }

  // MARK: Queries

  /// The columns of a query, and the tables that it reads.
  ///
  /// - Parameter noun: the kind of query, for errors.
  /// - Throws: `store` for an invalid statement, or one that is not a query.
  func describe(
    query sql: String, of noun: String
  ) throws -> (columns: [SQLiteStatement.Column], tables: StatementTables) {
    let (columns, tables, isReadOnly) = try use { (connection) throws(SQLiteFailure) in
      let statement = try connection.currentStatement(sql)
      return (statement.columns, statement.tables, statement.isReadOnly)
    }
    if isReadOnly, !columns.isEmpty { return (columns, tables) }
    throw TideError(
      .store, "\(noun) follows a query, such as SELECT …; run what changes rows by db:run")
  }

  /// A query's name in the causes of a value.
  func name(ofQuery sql: String) -> String {
    let words = sql.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let text = words.count > 80 ? "\(words.prefix(79))…" : words
    return "the query \(text) of database \(TransformCall.quoted(name))"
  }

  /// The queries of one kind.
  func queries<Kind>(_: Kind.Type) -> [Kind] { queries.compactMap { $0.query as? Kind } }

  func add(_ query: any StoreQuery) { queries.append(WeakQuery(query: query)) }

  /// Keeps an ended list until its edits are written. The runtime holds it: the list holds the
  /// database.
  func retain(_ list: QueryList) { table?.retain(list) }

  func release(_ list: QueryList) { table?.release(list) }

  private var table: StoreTable? { home.runtime?.storeTable as? StoreTable }

  /// Whether another program has committed since the queries were last refreshed.
  var hasUnseenCommit: Bool { others?.hasUnseenCommit ?? false }

  /// Another program has committed a change.
  func othersHaveWritten() {
    var all = StatementTables()
    all.changesSchema = true
    refresh(by: all)
  }

  func refresh(by tables: StatementTables) {
    // Lists notify scripts, whoever has written.
    home.runWithinBudget {
      reviewLosses()
      queries.removeAll { $0.query == nil }
      let stale = queries.filter { $0.query?.tables.depend(on: tables) == true }
      // A refresh may run scripts that open further queries.
      for (index, entry) in stale.enumerated() {
        if WorkBudget.isOver { return putOff(stale[index...]) }
        entry.query?.refresh()
      }
    }
  }

  /// Refreshes the remaining queries in later turns, as many in each as there is time for.
  private func putOff(_ rest: ArraySlice<WeakQuery>) {
    let known = Set(behind.compactMap { $0.query.map { ObjectIdentifier($0) } })
    isBehindOwnWrites = isFollowingOwnWrites && (behind.isEmpty || isBehindOwnWrites)
    behind += rest.filter { $0.query.map { !known.contains(ObjectIdentifier($0)) } ?? false }
    if catchingUp != nil { return }
    catchingUp = home.runtime?.loop.after(0) { [weak self] in
      self?.home.runWithinBudget {
        guard let self else { return }
        self.following(ownWrites: self.isBehindOwnWrites) { self.catchUp() }
      }
    }
  }

  private func catchUp() {
    catchingUp = nil
    let rest = behind
    behind = []
    for (index, entry) in rest.enumerated() {
      // At least one per turn, so that this ends.
      if index > 0, WorkBudget.isOver { return putOff(rest[index...]) }
      entry.query?.refresh()
    }
  }

  /// The list with editable rows that contains a row.
  func query(showing row: DataObject) -> QueryList? {
    queries(QueryList.self).first { $0.holds(row) }
  }

  /// Writes the changes of a row of one of the lists.
  func write(_ row: DataObject) throws {
    if let list = query(showing: row) { return try list.write(row) }
    throw TideError(
      .store,
      "this object is no row of a list with a class; insert new rows by db:run(\"INSERT …\")")
  }

  // MARK: Usage

  /// The context families of the scripts that have opened the database, one entry for each call.
  private var users: [ObjectIdentifier] = []

  /// Records that a script has opened it.
  func beginUse(in context: BindingContext) {
    users.append(context.family)
    if others == nil, let file, let runtime = home.runtime {
      others = OtherWriters(self, file.name, runtime.loop)
    }
  }

  /// Records that a script's context has ended.
  func endUse(by family: ObjectIdentifier) {
    if let index = users.firstIndex(of: family) { users.remove(at: index) }
    if !users.isEmpty { return }
    others?.end()
    others = nil
    catchingUp?.cancel()
    catchingUp = nil
    behind = []
  }

  /// Whether a script has it open, ignoring versions that a reload is about to end.
  var isOpen: Bool {
    let former = home.runtime?.loader.rollback?.former.values.map(\.context.family) ?? []
    return users.contains { !former.contains($0) }
  }

  deinit { others?.end() }
}

/// A query that follows the database.
protocol StoreQuery: AnyObject {
  /// The tables that its statement reads.
  var tables: StatementTables { get }
  func refresh()
}
