package import TideLua

extension LuaState {
  /// The names in a table, sealed or not, in alphabetical order.
  package func names(in table: LuaTable) throws(LuaError) -> [String] {
    let list = try load(
      """
      local names = {}
      for name in pairs(...) do if type(name) == "string" then names[#names + 1] = name end end
      return table.concat(names, " ")
      """, name: "=names")
    let text = try list.call([.table(table)]).first?.string ?? ""
    return text.split(separator: " ").map(String.init).sorted()
  }
}
