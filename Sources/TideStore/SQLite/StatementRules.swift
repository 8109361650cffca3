import CSQLite
import CTideSQLite
import TideBindings

/// The rules for statements of scripts. Actions, functions and pragmas that are not listed here are
/// refused.
extension StatementTables {
  /// Admits or refuses an action of a statement, for SQLite's authorizer, and records its tables.
  ///
  /// - Parameter isPreparing: whether the action belongs to a script's text, not to an internal
  ///   statement of SQLite.
  mutating func admit(
    _ action: Int32, _ first: String?, _ second: String?, isPreparing: Bool
  ) -> Int32 {
    switch action {
    case SQLITE_READ:
      guard let table = first?.lowercased() else { return SQLITE_OK }
      if Self.checks.contains(where: { table == "pragma_" + $0 }) {
        return refuse("\(table) is not for scripts; run PRAGMA \(table.dropFirst(7))")
      }
      read.insert(table)
      return SQLITE_OK
    case SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE:
      let table = first?.lowercased() ?? ""
      if table.hasPrefix("sqlite_") { changesSchema = true }
      written.insert(table)
      switch action {
      case SQLITE_DELETE: deleted.insert(table)
      case SQLITE_INSERT: inserted.insert(table)
      default: assigned[table, default: []].insert(second?.lowercased() ?? "rowid")
      }
      return SQLITE_OK
    case SQLITE_SELECT, SQLITE_RECURSIVE, SQLITE_CREATE_TABLE, SQLITE_CREATE_INDEX,
      SQLITE_CREATE_VIEW, SQLITE_CREATE_TRIGGER, SQLITE_CREATE_TEMP_TABLE,
      SQLITE_CREATE_TEMP_INDEX, SQLITE_CREATE_TEMP_VIEW, SQLITE_CREATE_TEMP_TRIGGER,
      SQLITE_DROP_TABLE, SQLITE_DROP_INDEX, SQLITE_DROP_VIEW, SQLITE_DROP_TRIGGER,
      SQLITE_DROP_TEMP_TABLE, SQLITE_DROP_TEMP_INDEX, SQLITE_DROP_TEMP_VIEW,
      SQLITE_DROP_TEMP_TRIGGER, SQLITE_ALTER_TABLE, SQLITE_REINDEX, SQLITE_ANALYZE:
      return SQLITE_OK
    case SQLITE_FUNCTION: return admitFunction(second ?? "")
    case SQLITE_PRAGMA: return admitPragma(first?.lowercased() ?? "", second)
    case SQLITE_ATTACH, SQLITE_DETACH:
      // VACUUM attaches a temporary file while it runs.
      if !isPreparing, action == SQLITE_ATTACH ? first == "" : first == "vacuum_db" {
        return SQLITE_OK
      }
      return refuse(
        "other databases cannot be attached to this one; open each by store.open")
    // VACUUM also begins a transaction.
    case SQLITE_TRANSACTION where !isPreparing: return SQLITE_OK
    case SQLITE_TRANSACTION, SQLITE_SAVEPOINT:
      return refuse("transactions are begun and ended by db:transaction(function() … end)")
    case SQLITE_CREATE_VTABLE, SQLITE_DROP_VTABLE:
      let names = Self.names(tide_sqlite_module_name).joined(separator: " and ")
      return refuse(
        "virtual tables of \(second?.inMessage ?? "modules") are not for scripts; \(names) can be read"
      )
    default: return refuse("statements of this kind are not for scripts")
    }
  }

  private mutating func admitFunction(_ name: String) -> Int32 {
    // ALTER TABLE uses internal functions, which other statements cannot call.
    let isOfAlter = ["sqlite_rename_", "sqlite_drop_column"].contains { name.hasPrefix($0) }
    if isOfAlter || tide_sqlite_has_function(name) { return SQLITE_OK }
    if name.lowercased() == "load_extension" { return refuse("extensions cannot be loaded") }
    let hint = NearestName.hint(for: name, in: Self.names(tide_sqlite_function_name))
    return refuse(
      "the function \(name.inMessage) is not for scripts\(hint); the article KeepingModels lists those that are"
    )
  }

  private mutating func admitPragma(_ name: String, _ argument: String?) -> Int32 {
    guard let takesArgument = Self.pragmas[name] else {
      let hint = NearestName.hint(for: name, in: Self.pragmas.keys.sorted())
      return refuse("PRAGMA \(name.inMessage) is not for scripts\(hint)")
    }
    if argument == nil || takesArgument { return SQLITE_OK }
    return refuse("scripts cannot set PRAGMA \(name), only ask for it")
  }

  mutating func refuse(_ reason: String) -> Int32 {
    refusal = reason
    return SQLITE_DENY
  }

  /// All names of a numbered list.
  private static func names(_ name: (Int32) -> UnsafePointer<CChar>?) -> [String] {
    var names: [String] = []
    while let found = name(Int32(names.count)) { names.append(String(cString: found)) }
    return names
  }

  /// Pragmas that read the whole database. As table functions, they would do so in unmeasured
  /// statements.
  private static let checks = ["integrity_check", "quick_check", "foreign_key_check", "optimize"]

  /// Pragmas that only report something, or change nothing that the engine relies on. The value
  /// tells whether they take an argument; for others an argument would set something.
  private static let pragmas: [String: Bool] = [
    "table_info": true, "table_xinfo": true, "table_list": true, "index_list": true,
    "index_info": true, "index_xinfo": true, "foreign_key_list": true, "foreign_key_check": true,
    "integrity_check": true, "quick_check": true, "optimize": false, "user_version": false,
    "data_version": false, "page_count": false, "page_size": false, "compile_options": false,
    "function_list": false, "collation_list": false, "freelist_count": false, "encoding": false,
  ]
}
