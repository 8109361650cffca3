import CSQLite
import CTideSQLite
import TideBindings
import TideScript
import TideSystem

/// A copy of a database file in memory, for runs that must not change the file.
///
/// It uses SQLite's backup API. Its memory is not counted, so files beyond ``most`` are refused;
/// later additions are counted.
struct DatabaseCopy {
  /// Bytes of the file and of its log.
  static let most = 256 << 20

  private let file: DatabaseFile
  private let name: String

  init(of file: DatabaseFile, _ name: String) {
    (self.file, self.name) = (file, name)
  }

  /// Fills a connection to a database in memory.
  func fill(_ connection: SQLiteConnection) throws(TideError) {
    guard case .database = file.contents else { return }
    if size(of: "") + size(of: "-wal") > Self.most {
      throw TideError(
        .store,
        "\"\(name.inMessage)\" has more than 256 MiB, and this run works on a copy that is thrown away: "
          + "let it use the database itself by --original-stores")
    }
    do throws(SQLiteFailure) {
      // A file without a log is read as immutable, so that no log is created for it. If another
      // program creates one meanwhile, the copy may be inconsistent.
      let hadLog = size(of: "-wal") > 0
      try fill(connection, isStill: !hadLog)
      if !hadLog, size(of: "-wal") > 0 { try fill(connection, isStill: false) }
    } catch {
      throw error.error(name)
    }
  }

  private func size(of suffix: String) -> Int {
    var information = stat()
    return stat(file.path + suffix, &information) == 0 ? Int(information.st_size) : 0
  }

  private func fill(
    _ connection: SQLiteConnection, isStill: Bool
  ) throws(SQLiteFailure) {
    // The memory is not counted.
    var use = TideSQLiteUse()
    let failure = withUnsafeMutablePointer(to: &use) { use -> SQLiteFailure? in
      tide_sqlite_begin_use(use)
      defer { tide_sqlite_end_use(use) }
      return copy(to: connection.handle, isStill: isStill)
    }
    if let failure { throw failure }
  }

  private func copy(to target: OpaquePointer, isStill: Bool) -> SQLiteFailure? {
    var opened: OpaquePointer?
    defer { sqlite3_close_v2(opened) }
    let path = "file:" + Self.escaped(file.path) + (isStill ? "?immutable=1" : "")
    let flags =
      SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    var code = sqlite3_open_v2(path, &opened, flags, tide_sqlite_file_system())
    guard code == SQLITE_OK, let opened else { return SQLiteFailure(of: opened, code) }
    tide_sqlite_set_patience(opened, 1000)
    guard let backup = sqlite3_backup_init(target, "main", opened, "main") else {
      return SQLiteFailure(of: target, sqlite3_errcode(target))
    }
    code = sqlite3_backup_step(backup, -1)
    _ = sqlite3_backup_finish(backup)
    return code == SQLITE_DONE ? nil : SQLiteFailure(of: target, code)
  }

  /// Escapes `?`, `#` and `%` for a URI.
  private static func escaped(_ path: String) -> String {
    path.split(separator: "%", omittingEmptySubsequences: false).joined(separator: "%25")
      .split(separator: "?", omittingEmptySubsequences: false).joined(separator: "%3f")
      .split(separator: "#", omittingEmptySubsequences: false).joined(separator: "%23")
  }
}
