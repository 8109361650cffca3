import CSQLite

/// The tables that a statement reads and those that it changes, its triggers included.
struct StatementTables {
  var read: Set<String> = []
  var written: Set<String> = []
  /// Whether it changes what tables there are.
  var changesSchema = false
  /// Why it may not be run.
  var refusal: String?

  /// Whether what a query of `self` gives may be another after the other has run.
  func depend(on other: StatementTables) -> Bool {
    other.changesSchema || !read.isDisjoint(with: other.written)
  }

  mutating func note(_ action: Int32, _ first: String?, _ second: String?) -> Int32 {
    switch action {
    case SQLITE_READ: if let first { read.insert(first.lowercased()) }
    case SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE:
      guard let table = first?.lowercased() else { break }
      if table.hasPrefix("sqlite_") { changesSchema = true }
      written.insert(table)
    // Another file may be anywhere; emptying the room of this one attaches one without a name.
    case SQLITE_ATTACH where first?.isEmpty != true, SQLITE_DETACH where first != "vacuum_db":
      return refuse("other databases cannot be attached to this one")
    case SQLITE_PRAGMA:
      let name = first?.lowercased() ?? ""
      if Self.pragmas.contains(name) { break }
      return refuse("PRAGMA \(name) is not for scripts")
    case SQLITE_TRANSACTION, SQLITE_SAVEPOINT:
      return refuse("transactions are begun and ended by db:transaction(function() … end)")
    case SQLITE_FUNCTION where second?.lowercased() == "load_extension":
      return refuse("extensions cannot be loaded")
    default: break
    }
    return SQLITE_OK
  }

  private mutating func refuse(_ reason: String) -> Int32 {
    refusal = reason
    return SQLITE_DENY
  }

  /// Those that tell something, and change nothing that the engine relies on.
  private static let pragmas: Set<String> = [
    "table_info", "table_xinfo", "table_list", "index_list", "index_info", "index_xinfo",
    "foreign_key_list", "foreign_key_check", "integrity_check", "quick_check", "optimize",
    "user_version", "data_version", "page_count", "page_size", "compile_options", "function_list",
    "collation_list", "freelist_count", "encoding",
  ]
}
