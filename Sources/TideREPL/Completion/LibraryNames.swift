import TideLua
import TideScript

/// The names in the tables of Lua's library and of the API, which are sealed: only going over them
/// as a script does shows what they hold.
struct LibraryNames {
  private var tables: [(table: LuaTable, names: [String])] = []

  init() {}

  init(_ runtime: Runtime) throws {
    let list = try runtime.lua.load(
      """
      local names = {}
      for name in pairs(...) do if type(name) == "string" then names[#names + 1] = name end end
      return table.concat(names, " ")
      """, name: "=repl")
    for name in Self.known {
      guard let table = try runtime.lua.globals.rawGet(.string(name)).table,
        let names = try? list.call([.table(table)]).first?.string
      else { continue }
      tables.append((table, names.split(separator: " ").map(String.init).sorted()))
    }
  }

  private static let known = [
    "string", "table", "math", "utf8", "os", "io", "coroutine", "log", "trigger", "controller",
    "notification", "hot", "tidelock",
  ]

  subscript(table: LuaTable) -> [String]? { tables.first { $0.table == table }?.names }
}
