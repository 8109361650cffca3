import CSQLite
import CTideSQLite
import TideBindings

/// A prepared statement, with the tables that it reads and writes.
///
/// If the schema has changed, the first step prepares the statement again. Its columns and tables
/// always match the schema of its rows.
final class SQLiteStatement {
  fileprivate var handle: OpaquePointer
  private(set) var tables: StatementTables
  private(set) var columns: [Column]
  private(set) var isReadOnly: Bool
  private(set) var parameterCount: Int
  /// The longest values that it allows.
  private var cost: TideSQLiteCost
  private let text: StatementText.Part
  private unowned let connection: SQLiteConnection
  private var hasGivenRows = false
  /// The bound parameters, until the reset.
  private var parameters = SQLiteParameters.none
  /// Counts its memory beside SQLite's own while it is cached.
  var reservation: RowReservation?

  struct Column: Equatable, Sendable {
    let name: String
    /// The table and column of origin, if any.
    let table: String?
    let origin: String?
    let holdsFlags: Bool
  }

  fileprivate init(
    _ handle: OpaquePointer, _ tables: StatementTables, _ text: StatementText.Part,
    _ connection: SQLiteConnection
  ) throws(SQLiteFailure) {
    self.handle = handle
    self.tables = tables
    self.text = text
    self.connection = connection
    do throws(SQLiteFailure) { cost = try connection.measure(text, of: handle) } catch {
      sqlite3_finalize(handle)
      throw error
    }
    isReadOnly = sqlite3_stmt_readonly(handle) != 0
    parameterCount = Int(sqlite3_bind_parameter_count(handle))
    columns = (0..<sqlite3_column_count(handle)).map { index in
      let type = Self.text(sqlite3_column_decltype(handle, index))?.lowercased()
      return Column(
        name: Self.text(sqlite3_column_name(handle, index)) ?? "column \(index + 1)",
        table: Self.text(sqlite3_column_table_name(handle, index)),
        origin: Self.text(sqlite3_column_origin_name(handle, index)),
        holdsFlags: type == "boolean" || type == "bool")
    }
  }

  deinit { sqlite3_finalize(handle) }

  var sql: String { String(decoding: text.bytes, as: UTF8.self) }

  /// Whether it is an EXPLAIN, whose output contains memory addresses.
  var isListing: Bool { sqlite3_stmt_isexplain(handle) == 1 }

  private static func text(_ text: UnsafePointer<CChar>?) -> String? {
    text.map { String(cString: $0) }
  }

  // MARK: Parameters

  /// The names of its parameters with the sign before them; nil for those without a name.
  var parameterNames: [String?] {
    (0..<parameterCount).map { Self.text(sqlite3_bind_parameter_name(handle, Int32($0 + 1))) }
  }

  func bind(_ parameters: SQLiteParameters) throws(SQLiteFailure) {
    do throws(SQLiteFailure) { try bindAll(parameters) } catch {
      guard error.primary == SQLITE_TOOBIG else { throw error }
      // After a schema change, the statement may allow longer values.
      let former = cost.longest
      cost = try connection.measure(text, of: handle)
      guard cost.longest > former else { throw error }
      try bindAll(parameters)
    }
  }

  private func bindAll(_ parameters: SQLiteParameters) throws(SQLiteFailure) {
    reset()
    connection.limitStatement(to: cost)
    do throws(SQLiteFailure) { try bindEach(parameters) } catch {
      reset()
      throw error
    }
    self.parameters = parameters
  }

  private func bindEach(_ parameters: SQLiteParameters) throws(SQLiteFailure) {
    switch parameters {
    case .none: try require(0)
    case .positions(let values):
      try require(values.count)
      if cost.isSum, values.lazy.map(\.length).reduce(0, +) > Int(cost.longest) {
        throw SQLiteFailure(code: SQLITE_TOOBIG, message: connection.tooLong(cost))
      }
      for (index, value) in values.enumerated() { try bind(value, at: Int32(index + 1)) }
    case .names(let values):
      for (marked, index) in zip(parameterNames, Int32(1)...) {
        guard let marked else {
          throw SQLiteFailure(
            code: SQLITE_MISUSE, message: "parameter \(index) has no name, but names are given")
        }
        let name = String(marked.dropFirst())
        guard let value = values[name] else {
          throw SQLiteFailure(
            code: SQLITE_MISUSE, message: "the parameter \(marked) is not given; pass \(name) = …")
        }
        try bind(value, at: index)
      }
    }
  }

  private func require(_ count: Int) throws(SQLiteFailure) {
    if count == parameterCount { return }
    throw SQLiteFailure(
      code: SQLITE_MISUSE,
      message: "the statement takes \(parameterCount) parameters, and \(count) are given")
  }

  private func bind(_ value: SQLiteValue, at index: Int32) throws(SQLiteFailure) {
    let code =
      switch value {
      case .null: sqlite3_bind_null(handle, index)
      case .integer(let number): sqlite3_bind_int64(handle, index, Int64(number))
      case .number(let number): sqlite3_bind_double(handle, index, number)
      case .text(let text):
        sqlite3_bind_text64(
          handle, index, text, UInt64(text.utf8.count), tide_sqlite_copied(), UInt8(SQLITE_UTF8))
      case .bytes(let bytes):
        bytes.isEmpty
          ? sqlite3_bind_zeroblob(handle, index, 0)
          : bytes.withUnsafeBytes {
            sqlite3_bind_blob64(
              handle, index, $0.baseAddress, UInt64($0.count), tide_sqlite_copied())
          }
      }
    if code != SQLITE_OK { throw failure(code) }
  }

  private func failure(_ code: Int32) -> SQLiteFailure {
    let failure = SQLiteFailure(of: sqlite3_db_handle(handle), code)
    if failure.primary != SQLITE_TOOBIG { return failure }
    return SQLiteFailure(code: failure.code, message: connection.tooLong(cost))
  }

  // MARK: Rows

  /// Moves to the next row. Returns false at the end.
  func step() throws(SQLiteFailure) -> Bool {
    var code = stepOnce()
    if !hasGivenRows, connection.wasKeptFromAnew {
      code = try stepAnew()
    } else if !hasGivenRows, code & 0xff == SQLITE_TOOBIG {
      // After a schema change, the statement may allow longer values.
      sqlite3_reset(handle)
      cost = try connection.measure(text, of: handle)
      try bind(parameters)
      code = stepOnce(isMeasured: true)
      if connection.wasKeptFromAnew { code = try stepAnew() }
    }
    switch code {
    case SQLITE_ROW:
      hasGivenRows = true
      return true
    case SQLITE_DONE: return false
    default: throw failure(code)
    }
  }

  /// Prepares the statement for the current schema, and makes its first step.
  private func stepAnew() throws(SQLiteFailure) -> Int32 {
    let parameters = parameters
    var code = SQLITE_SCHEMA
    for _ in 0..<Self.mostPreparations {
      sqlite3_reset(handle)
      try prepareAnew()
      try bind(parameters)
      code = stepOnce(isMeasured: true)
      // Another program may have changed the schema in between. A statement that has written is not
      // run again.
      let isCurrent = sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_REPREPARE, 0) == 0
      if isCurrent || !isReadOnly { break }
    }
    return code
  }

  /// The most preparations if others keep changing the schema.
  private static let mostPreparations = 3

  private func prepareAnew() throws(SQLiteFailure) {
    guard let made = try connection.prepareAnew(text) else { return }
    (handle, made.handle) = (made.handle, handle)
    (tables, columns, cost) = (made.tables, made.columns, made.cost)
    (isReadOnly, parameterCount) = (made.isReadOnly, made.parameterCount)
  }

  private func stepOnce(isMeasured: Bool = false) -> Int32 {
    connection.step(
      handle, runsOthers: cost.runsOthers, isMeasured: isMeasured,
      changesRows: !tables.assigned.isEmpty)
  }

  /// Ends the run of the statement. A kept statement must not hold the values of its last run.
  func reset() {
    hasGivenRows = false
    parameters = .none
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
  }

  func value(_ column: Int) -> SQLiteValue {
    let index = Int32(column)
    switch sqlite3_column_type(handle, index) {
    case SQLITE_INTEGER: return .integer(Int(sqlite3_column_int64(handle, index)))
    case SQLITE_FLOAT: return .number(sqlite3_column_double(handle, index))
    case SQLITE_TEXT:
      return .text(String(decoding: bytes(text: index), as: UTF8.self))
    case SQLITE_BLOB:
      let start = sqlite3_column_blob(handle, index)
      let count = Int(sqlite3_column_bytes(handle, index))
      return .bytes(Array(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)))
    default: return .null
    }
  }

  /// Bytes of a row and of each value, beside their contents.
  private static var weights: (row: Int, value: Int) { (200, 32) }

  /// The values of the row. Memory for each is reserved before it is copied.
  func values(_ reservation: RowReservation) throws(SQLiteFailure) -> [SQLiteValue] {
    try reserve(Self.weights.row + columns.count * Self.weights.value, reservation)
    var values: [SQLiteValue] = []
    values.reserveCapacity(columns.count)
    for column in columns.indices { values.append(try value(column, reservation)) }
    return values
  }

  private func value(
    _ column: Int, _ reservation: RowReservation
  ) throws(SQLiteFailure) -> SQLiteValue {
    let index = Int32(column)
    switch sqlite3_column_type(handle, index) {
    case SQLITE_TEXT:
      let bytes = bytes(text: index)
      try reserve(bytes.count, reservation)
      if let text = String(validating: bytes, as: UTF8.self) { return .text(text) }
      // An invalid byte becomes a character of three bytes, and the string doubles as it grows.
      try reserve(5 * bytes.count, reservation)
    case SQLITE_BLOB: try reserve(Int(sqlite3_column_bytes(handle, index)), reservation)
    default: break
    }
    return value(column)
  }

  private func reserve(_ bytes: Int, _ reservation: RowReservation) throws(SQLiteFailure) {
    if reservation.grow(by: bytes) { return }
    throw SQLiteFailure(code: SQLITE_NOMEM, message: "the rows take more memory than the app has")
  }

  private func bytes(text index: Int32) -> UnsafeRawBufferPointer {
    let start = sqlite3_column_text(handle, index)
    return UnsafeRawBufferPointer(
      start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(handle, index)))
  }

  /// A hash of the row's content, computed without making values.
  func rowHash() -> UInt64 {
    var hash = RowHash()
    for index in 0..<Int32(columns.count) {
      switch sqlite3_column_type(handle, index) {
      case SQLITE_INTEGER:
        hash.add(1, UInt64(bitPattern: sqlite3_column_int64(handle, index)))
      case SQLITE_FLOAT: hash.add(2, sqlite3_column_double(handle, index).bitPattern)
      case SQLITE_TEXT: hash.add(3, bytes(text: index))
      case SQLITE_BLOB:
        let start = sqlite3_column_blob(handle, index)
        let count = Int(sqlite3_column_bytes(handle, index))
        hash.add(4, UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
      default: hash.add(0, 0)
      }
    }
    return hash.value
  }
}

/// A 64-bit hash that consumes eight bytes at a time.
private struct RowHash {
  private(set) var value = Self.seed
  /// Random in each process, so that nobody can construct rows with equal hashes.
  private static let seed = UInt64.random(in: 1 ... .max)

  mutating func add(_ kind: UInt64, _ bits: UInt64) {
    let product = (value ^ bits &+ kind).multipliedFullWidth(by: 0xa076_1d64_78bd_642f)
    value = product.high ^ product.low ^ (kind << 56)
  }

  mutating func add(_ kind: UInt64, _ bytes: UnsafeRawBufferPointer) {
    add(kind, UInt64(bytes.count))
    var offset = 0
    while offset + 8 <= bytes.count {
      add(kind, bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      offset += 8
    }
    var rest: UInt64 = 0
    while offset < bytes.count {
      rest = rest << 8 | UInt64(bytes[offset])
      offset += 1
    }
    add(kind, rest)
  }
}

/// A value of SQLite.
enum SQLiteValue: Hashable, Sendable {
  case null
  case integer(Int)
  case number(Double)
  case text(String)
  case bytes([UInt8])

  /// The bytes of a text or blob.
  fileprivate var length: Int {
    switch self {
    case .text(let text): text.utf8.count
    case .bytes(let bytes): bytes.count
    default: 0
    }
  }
}

/// The values of a statement's `?` or `:name` parameters.
enum SQLiteParameters: Sendable, Equatable {
  case none
  case positions([SQLiteValue])
  case names([String: SQLiteValue])

  /// The bytes of its texts and blobs.
  var length: Int {
    switch self {
    case .none: 0
    case .positions(let values): values.reduce(0) { $0 + $1.length }
    case .names(let values): values.values.reduce(0) { $0 + $1.length }
    }
  }
}

/// The text of one or more statements, as SQLite reads it.
struct StatementText {
  /// Terminated by a zero.
  fileprivate let bytes: [UInt8]
  /// Where the next statement begins.
  fileprivate(set) var offset = 0

  init(_ sql: String) { bytes = Array(sql.utf8) + [0] }

  fileprivate init(_ part: Part) { bytes = part.bytes + [0] }

  var isAtEnd: Bool { offset >= bytes.count - 1 }

  /// One statement of a text.
  struct Part {
    fileprivate let bytes: [UInt8]

    func withBytes<Result>(_ body: (UnsafePointer<CChar>, Int32) -> Result) -> Result? {
      bytes.withUnsafeBytes { bytes in
        bytes.baseAddress.map {
          body($0.assumingMemoryBound(to: CChar.self), Int32(bytes.count))
        }
      }
    }

    /// Whether a keyword in lower case occurs in it, in upper or lower case.
    fileprivate func names(_ keyword: String) -> Bool {
      let keyword = Array(keyword.utf8)
      if bytes.count < keyword.count { return false }
      return (0...bytes.count - keyword.count).contains { start in
        keyword.indices.allSatisfy { bytes[start + $0] | 0x20 == keyword[$0] }
      }
    }
  }
}

extension SQLiteConnection {
  /// Prepares a statement again after a schema change.
  fileprivate func prepareAnew(
    _ part: StatementText.Part
  ) throws(SQLiteFailure) -> SQLiteStatement? {
    var text = StatementText(part)
    return isTrusted ? try prepare(&text) : try prepareChecked(&text)
  }

  /// Prepares the next statement of a text, and moves past it. Returns nil if only white space and
  /// comments are left.
  func prepare(_ text: inout StatementText) throws(SQLiteFailure) -> SQLiteStatement? {
    var made: OpaquePointer?
    var length = 0
    var (code, tables) = watchingTables {
      text.bytes.withUnsafeBufferPointer { bytes -> Int32 in
        guard let base = bytes.baseAddress else { return SQLITE_OK }
        let start = UnsafeRawPointer(base + text.offset).assumingMemoryBound(to: CChar.self)
        var end: UnsafePointer<CChar>?
        let code = sqlite3_prepare_v3(
          handle, start, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &made, &end)
        if let end { length = end - start }
        return code
      }
    }
    if code != SQLITE_OK { throw SQLiteFailure(of: handle, code) }
    let part = StatementText.Part(bytes: Array(text.bytes[text.offset..<text.offset + length]))
    text.offset += length
    guard let made else { return nil }
    if !tables.written.isEmpty, part.names("replace") { tables.noteReplacing() }
    return try SQLiteStatement(made, tables, part, self)
  }
}
