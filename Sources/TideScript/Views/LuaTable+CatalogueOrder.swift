import TideBindings
import TideGraph
import TideLua

extension LuaTable {
  /// All entries: first those that are properties of a shape, in the order in which it declares
  /// these, then other names by the alphabet, then what has no name.
  ///
  /// A table has no order of its own: what its options do would differ from run to run.
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
