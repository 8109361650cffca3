import TideLua

/// The order in which a seed puts things that are no tests: by the words' own function for these.
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
