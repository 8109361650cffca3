import CSQLite
import CTideSQLite
package import TideScript

/// Checks the SQL of scripts with SQLite itself, under the rules for their databases.
///
/// ```swift
/// let schema = LiteralSQL().schema(of: [SchemaStatement("CREATE TABLE book (id, title)")])
/// schema.read("SELECT title FROM book")     // columns(["title"])
/// schema.read("SELECT titel FROM book")     // failure("no such column: titel")
/// ```
package struct LiteralSQL: SQLReader {
  package init() {}

  package func schema(of statements: [SchemaStatement]) -> any SQLSchema {
    LiteralSchema(statements)
  }
}

/// The schema that a script's literal statements create, in a database in memory.
///
/// Statements that fail leave parts of the schema unknown: the tables that they name, or all of
/// them if they name none. Queries of unknown tables are not checked.
final class LiteralSchema: SQLSchema {
  /// Nil if memory does not suffice.
  private let connection: SQLiteConnection?
  /// Tables and views whose columns are unknown.
  private var uncertain: Set<String> = []
  private var isUnknown = false
  private(set) var mayHaveOtherTables = false
  private var syntaxFailures: [String: String] = [:]
  /// The statements that have run, as lists of words.
  private var hasRun: Set<[String]> = []
  private var readings: [String: SQLReading] = [:]
  private var namedColumns: [String: [String]?] = [:]
  private var namedParameters: [String: [String?]?] = [:]

  /// The most bytes of a schema, and of a value in it.
  private static let memoryLimit: UInt64 = 32 << 20
  private static let valueLimit = 1 << 20
  /// The time limit of the whole schema, and of each query.
  private static let timeLimit = Duration.milliseconds(300)
  private static let textLimit = 1 << 16
  private static let statementLimit = 2000
  private static let readingLimit = 2000

  init(_ statements: [SchemaStatement]) {
    connection = Self.open()
    guard let connection else {
      isUnknown = true
      return
    }
    if statements.count > Self.statementLimit { isUnknown = true }
    make(statements.prefix(Self.statementLimit), connection)
  }

  /// An empty database in memory.
  private static func open() -> SQLiteConnection? {
    guard let account = SQLiteAccount() else { return nil }
    tide_account_set_limit(account.raw, memoryLimit)
    let connection = try? SQLiteConnection(":memory:", .inMemory, patience: 0, account: account)
    connection?.timeLimit = timeLimit
    connection?.limitValues(to: valueLimit)
    do { try connection?.configure(SQLiteConnection.settings) } catch { return nil }
    return connection
  }

  // MARK: Making

  private func make(_ statements: some Sequence<SchemaStatement>, _ connection: SQLiteConnection) {
    do throws(SQLiteFailure) {
      try connection.using { (connection) throws(SQLiteFailure) in
        var waiting = Array(statements)
        // A statement may precede the one that creates its table.
        for _ in 0..<3 where !waiting.isEmpty {
          var left: [SchemaStatement] = []
          for statement in waiting where try !run(statement, connection) { left.append(statement) }
          if left.count == waiting.count { break }
          waiting = left
        }
        for statement in waiting { noteFailure(of: statement.text) }
      }
    } catch {
      isUnknown = true
    }
  }

  /// Runs the statements of a text that change the schema. Returns false if it may succeed later.
  ///
  /// - Throws: errors that end all checks, such as a timeout.
  private func run(
    _ statement: SchemaStatement, _ connection: SQLiteConnection
  ) throws(SQLiteFailure) -> Bool {
    guard statement.text.utf8.count <= Self.textLimit else {
      isUnknown = true
      return true
    }
    var text = StatementText(statement.text)
    var isFirst = true
    while !text.isAtEnd {
      let start = text.offset
      do throws(SQLiteFailure) {
        let prepared = try connection.prepareChecked(&text)
        guard text.offset > start else { break }
        guard let prepared else { continue }
        let words = Self.words(of: prepared.sql)
        guard let kind = words.first, Self.kinds.contains(kind) else { continue }
        if !statement.isCertain, kind == "drop" || !Self.removals.isDisjoint(with: words) {
          uncertain.formUnion(named(in: prepared.sql))
          continue
        }
        try run(prepared, words, connection)
        isFirst = false
      } catch {
        if [SQLITE_INTERRUPT, SQLITE_NOMEM].contains(error.primary) || tide_sqlite_is_over() {
          throw error
        }
        if error.message.hasPrefix("no such "), isFirst { return false }
        if Self.isOfSyntax(error) { syntaxFailures[statement.text] = error.message }
        // Later statements of the text are not reached.
        noteFailure(of: statement.text)
        return true
      }
    }
    return true
  }

  private func run(
    _ statement: SQLiteStatement, _ words: [String], _ connection: SQLiteConnection
  ) throws(SQLiteFailure) {
    let before = try connection.number("PRAGMA schema_version")
    try statement.bind(.none)
    defer { statement.reset() }
    while try statement.step() {}
    guard hasRun.insert(words).inserted,
      try connection.number("PRAGMA schema_version") == before
    else { return }
    // The table may be declared elsewhere: CREATE … IF NOT EXISTS has changed nothing.
    uncertain.formUnion(named(in: statement.sql))
  }

  private func noteFailure(of text: String) {
    let words = Self.words(of: text)
    if hasRun.contains(words) { return }
    if words.first == "create" { mayHaveOtherTables = true }
    let named = named(in: text)
    uncertain.formUnion(named)
    // A statement for another database, or one whose table is not typed yet.
    if named.isEmpty, words.first != "create", !Self.namesTable(words) { isUnknown = true }
  }

  /// Whether `ALTER TABLE` or `DROP TABLE` is followed by a name.
  private static func namesTable(_ words: [String]) -> Bool {
    guard let first = words.dropFirst(2).first(where: { $0 != "if" && $0 != "exists" })?.first
    else {
      return false
    }
    return first.isLetter || first == "_" || first == "\"" || first == "[" || first == "`"
  }

  private static let kinds: Set<String> = ["create", "alter", "drop"]
  private static let removals: Set<String> = ["rename", "drop"]

  private static func isOfSyntax(_ failure: SQLiteFailure) -> Bool {
    failure.message.hasSuffix("syntax error") || failure.message == "incomplete input"
      || failure.message.hasPrefix("unrecognized token")
  }

  func syntaxFailure(in schemaText: String) -> String? { syntaxFailures[schemaText] }

  // MARK: Names

  /// The words of a text in lower case, and its other characters.
  private static func words(of sql: String) -> [String] {
    var words: [String] = []
    var word: [UInt8] = []
    func isPart(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
        true
      default: false
      }
    }
    for byte in sql.utf8 {
      if isPart(byte) {
        word.append(byte)
        continue
      }
      if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self).lowercased()) }
      word = []
      if byte > 0x20 { words.append(String(Unicode.Scalar(byte))) }
    }
    if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self).lowercased()) }
    return words
  }

  /// The tables and views that a text may refer to.
  private func named(in sql: String) -> Set<String> {
    let words = Set(Self.words(of: sql))
    let lower = sql.lowercased()
    return Set(
      names.filter { name in
        Self.words(of: name) == [name] ? words.contains(name) : lower.contains(name)
      })
  }

  /// The names of all tables and views.
  private var names: [String] {
    let rows = try? connection?.rows(
      "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')")
    return (rows ?? []).compactMap { row in
      if case .text(let name)? = row.first { name.lowercased() } else { nil }
    }
  }

  // MARK: Queries

  /// The most marks of named parameters in a statement. SQLite searches all names for each name, so
  /// thousands of them take quadratic time.
  private static let markLimit = 1000

  /// Whether a statement is short enough to be read by SQLite.
  private static func isReadable(_ sql: String) -> Bool {
    guard sql.utf8.count <= textLimit else { return false }
    let marks = sql.utf8.count { ":@$".utf8.contains($0) }
    return marks <= markLimit
  }

  func read(_ sql: String) -> SQLReading {
    if let known = readings[sql] { return known }
    if readings.count >= Self.readingLimit { readings = [:] }
    let reading = makeReading(of: sql)
    readings[sql] = reading
    return reading
  }

  func columns(of sql: String) -> [String]? {
    switch read(sql) {
    case .columns(let names): return names
    case .failure: return nil
    case .missingTable, .unknown: break
    }
    guard Self.isReadable(sql) else { return nil }
    if let known = namedColumns[sql] { return known }
    if namedColumns.count >= Self.readingLimit { namedColumns = [:] }
    let names = Self.open().flatMap { NamedColumns.names(of: sql, in: $0) }
    namedColumns.updateValue(names, forKey: sql)
    return names
  }

  func parameters(of sql: String) -> [String?]? {
    guard Self.isReadable(sql) else { return nil }
    if let known = namedParameters[sql] { return known }
    if namedParameters.count >= Self.readingLimit { namedParameters = [:] }
    let found =
      try? connection?.using { (connection) throws(SQLiteFailure) in
        try connection.statement(sql).parameterNames
      }
    let marked =
      found ?? Self.open().flatMap { NamedColumns.parameters(of: sql, in: $0) }
    let names = marked?.map { $0.map { String($0.dropFirst()) } }
    namedParameters.updateValue(names, forKey: sql)
    return names
  }

  private func makeReading(of sql: String) -> SQLReading {
    guard let connection, !isUnknown, Self.isReadable(sql) else { return .unknown }
    do throws(SQLiteFailure) {
      return try connection.using { (connection) throws(SQLiteFailure) in
        let statement = try connection.statement(sql)
        let tables = statement.tables.read.union(statement.tables.written)
        if !tables.isDisjoint(with: uncertain) { return .unknown }
        return .columns(statement.columns.map(\.name))
      }
    } catch {
      return reading(of: error, sql)
    }
  }

  /// The meaning of a failure. Only some failures depend on the text and the schema alone.
  private func reading(of failure: SQLiteFailure, _ sql: String) -> SQLReading {
    guard [SQLITE_ERROR, SQLITE_AUTH, SQLITE_MISUSE].contains(failure.primary),
      failure.message != SQLiteConnection.uncheckedInMemory
    else { return .unknown }
    // A view may use an unknown table.
    let isSafe = uncertain.isEmpty || named(in: sql).isDisjoint(with: uncertain) && !namesView(sql)
    if failure.message.hasPrefix("no such table: ") {
      return isSafe ? .missingTable(failure.message) : .unknown
    }
    return isSafe || Self.isOfSyntax(failure) ? .failure(failure.message) : .unknown
  }

  private func namesView(_ sql: String) -> Bool {
    let rows = try? connection?.rows("SELECT name FROM sqlite_schema WHERE type = 'view'")
    let named = named(in: sql)
    return (rows ?? []).contains { row in
      if case .text(let name)? = row.first { named.contains(name.lowercased()) } else { false }
    }
  }
}
