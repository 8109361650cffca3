import TideBindings
import TideGraph
import TideLua

extension LuaTable {
  /// All entries in a fixed order: a shape's properties in declaration order, then other names
  /// alphabetically, then entries without a name.
  ///
  /// Lua's tables have no order, and options that depend on each other would take effect
  /// differently from run to run.
  func entries(inOrderOf shape: Shape) throws(LuaError) -> [(key: LuaValue, value: LuaValue)] {
    let entries = try entries()
    var named: [(rank: Int, name: String, position: Int)] = []
    var others: [(key: LuaValue, value: LuaValue)] = []
    for (position, entry) in entries.enumerated() {
      if case .string(let name) = entry.key {
        named.append((shape.index(of: name) ?? .max, name, position))
      } else {
        others.append(entry)
      }
    }
    if named.count < 2 { return entries }
    named.sort { ($0.rank, $0.name) < ($1.rank, $1.name) }
    return named.map { entries[$0.position] } + others
  }
}
