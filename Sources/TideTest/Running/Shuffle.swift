import TideLua

/// The order in which a seed puts things, by Lua's own random numbers, as busted does it.
enum Shuffle {
  static func order(_ count: Int, by seed: Int, _ lua: LuaState) throws -> [Int] {
    let function = try lua.load(
      """
      local count, seed = ...
      math.randomseed(seed)
      local order = {}
      for index = 1, count do order[index] = index - 1 end
      for index = count, 2, -1 do
        local other = math.random(index)
        order[index], order[other] = order[other], order[index]
      end
      return order
      """, name: "=shuffle")
    guard count > 1 else { return Array(0..<count) }
    let order = try function.call([.integer(count), .integer(seed)]).first?.table?.sequence()
    return order?.compactMap(\.integer) ?? Array(0..<count)
  }
}
