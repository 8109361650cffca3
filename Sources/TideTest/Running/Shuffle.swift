import TideLua

/// Shuffles what is not ordered in Lua, such as files, with the runner's own function, so that a
/// seed gives the same order everywhere.
enum Shuffle {
  static func order(_ count: Int, by seed: Int, _ lua: LuaState) throws -> [Int] {
    guard count > 1, let source = EmbeddedSource.all["tidelock.test.order"] else {
      return Array(0..<count)
    }
    let words = try lua.table()
    try source.load(in: lua).call([.table(words)])
    let shuffled = try words.rawGet("shuffled").function
    let order = try shuffled?.call([.integer(count), .integer(seed)]) ?? []
    return order.compactMap { $0.integer.map { $0 - 1 } }
  }
}
