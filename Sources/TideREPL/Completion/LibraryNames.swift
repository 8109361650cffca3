import TideLua
import TideScript

/// The names in the tables of Lua's library and of the API. These tables are sealed, so their
/// members are found by iterating over them as a script would.
struct LibraryNames {
  private var tables: [(table: LuaTable, name: String, members: [String])] = []
  private let index: LuaFunction?

  /// The globals of Lua's library and of the API.
  static let globals = Set(
    (APICatalogue.names + LuaLibrary.entries.map(\.name) + ["tidelock"]).compactMap {
      $0.split(separator: ".").first.map(String.init)
    })

  init() { index = nil }

  init(_ runtime: Runtime) throws {
    index = try runtime.lua.load(
      """
      local getmetatable, rawget, type = getmetatable, rawget, type
      return function(table)
        local meta = getmetatable(table)
        return type(meta) == "table" and rawget(meta, "__index") or nil
      end
      """, name: "=repl"
    ).call([]).first?.function
    for name in Self.globals.sorted() where name != "_G" {
      guard let table = try runtime.lua.globals.rawGet(.string(name)).table,
        !tables.contains(where: { $0.table == table })
      else { continue }
      // Models and views change, and view classes are created on demand.
      let isFixed = !["models", "views", "view", "arg"].contains(name)
      let members = isFixed ? (try? runtime.lua.names(in: table)) ?? [] : []
      // Some tables create their members on access; only the catalogue lists those.
      let described = isFixed ? Self.described(name) : []
      tables.append((table, name, Set(members + described).sorted()))
    }
  }

  /// The members of a table that the catalogue lists.
  private static func described(_ table: String) -> [String] {
    APICatalogue.names.filter { $0.hasPrefix(table + ".") }
      .map { String($0.dropFirst(table.count + 1)) }.filter(LuaState.isName)
  }

  /// The members of a library table; nil if the members change, or if the table belongs to a
  /// script.
  subscript(table: LuaTable) -> [String]? {
    tables.first { $0.table == table && !$0.members.isEmpty }?.members
  }

  /// The name of a library table.
  func name(of table: LuaTable) -> String? { tables.first { $0.table == table }?.name }

  /// The table in a metatable's `__index`; no function is called.
  func parent(of table: LuaTable) -> LuaTable? {
    guard let index else { return nil }
    return (try? index.call([.table(table)]).first)?.table
  }
}
