import CSQLite
import TideBindings
import TideScript

/// An error of SQLite.
struct SQLiteFailure: Error {
  /// The extended result code.
  let code: Int32
  let message: String

  var primary: Int32 { code & 0xff }
  var isInterrupted: Bool { primary == SQLITE_INTERRUPT }
  /// Another connection is writing.
  var isLocked: Bool { primary == SQLITE_BUSY || primary == SQLITE_LOCKED }
  /// The file is not a database, or is damaged.
  var isCorrupt: Bool { primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB }

  init(code: Int32, message: String) {
    self.code = code
    self.message = message
  }

  /// The error for an exceeded time limit.
  static func interrupted(after time: Duration?) -> SQLiteFailure {
    let limit = time.map { "\($0), which is all that a turn has" } ?? "a turn has"
    return SQLiteFailure(code: SQLITE_INTERRUPT, message: "the statement took longer than \(limit)")
  }

  init(of database: OpaquePointer?, _ code: Int32) {
    let text = database.flatMap { sqlite3_errmsg($0) } ?? sqlite3_errstr(code)
    self.init(
      code: database.map { sqlite3_extended_errcode($0) } ?? code,
      message: text.map { String(cString: $0) } ?? "error \(code)")
  }

  /// Advice for the error.
  private var remedy: String {
    switch primary {
    case SQLITE_BUSY, SQLITE_LOCKED: "; another program is writing to it: try again"
    case SQLITE_READONLY, SQLITE_PERM:
      "; the file or its folder cannot be written to: change its permissions"
    case SQLITE_FULL: "; the disk has no room left, and nothing of this was written"
    case SQLITE_CANTOPEN: "; its folder is missing, or cannot be written to"
    case SQLITE_CORRUPT, SQLITE_NOTADB: "; put a copy that is whole in its place"
    case SQLITE_NOMEM: "; the app's memory leaves no room for it, so ask for fewer rows or columns"
    case SQLITE_TOOBIG: "; one value or statement is larger than may be"
    default: ""
    }
  }

  func error(_ database: String) -> TideError {
    TideError(.store, "\"\(database.inMessage)\": \(message)\(remedy)", cause: self)
  }
}

extension Error {
  private var failure: SQLiteFailure? { (self as? TideError)?.cause as? SQLiteFailure }

  /// Whether a statement has failed because another connection is writing.
  var isLocked: Bool { failure?.isLocked ?? false }

  /// Whether a statement has failed because of what it was given, and will fail again.
  var isRefusal: Bool {
    guard let failure else { return false }
    return [SQLITE_ERROR, SQLITE_CONSTRAINT, SQLITE_MISMATCH, SQLITE_TOOBIG].contains(
      failure.primary)
  }

  /// Whether a statement does not fit the schema, such as one that names a column that is gone.
  var isOfSchema: Bool { failure?.primary == SQLITE_ERROR }
}
