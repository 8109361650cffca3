import Testing
import TideLua

/// What scripts see of addresses, and which functions they hold.
@Suite struct `Addresses` {
  @Test(arguments: ["{}", "print", "function() end", "coroutine.create(print)", "io.stdout or {}"])
  func `are shown as a number that stays the same for a value`(value: String) throws {
    let state = try LuaState()
    let texts = try state.run(
      """
      local v = \(value)
      local other = {}
      collectgarbage()
      return tostring(v), tostring(v), ("%p"):format(v), ("%s"):format(v), tostring(other)
      """, name: "=t")
    let first = try #require(texts[0].string)
    #expect(texts[1].string == first)
    #expect(texts[3].string == first)
    #expect(first.hasSuffix(try #require(texts[2].string)))
    #expect(texts[4].string != first)
    #expect(first.contains(": 0x"))
  }

  @Test func `are shown as numbers that reveal no neighbours`() throws {
    var configuration = LuaConfiguration()
    configuration.capabilities = .all
    let state = try LuaState(configuration)
    // Numbers of neighbours in memory lie far apart.
    let farApart = try state.run(
      """
      local numbers, near = {}, 0
      for i = 1, 1000 do numbers[i] = tonumber((tostring({}):match("0x(%x+)")), 16) end
      for i = 2, 1000 do
        if math.abs(numbers[i] - numbers[i - 1]) < 1 << 40 then near = near + 1 end
      end
      return near < 20
      """, name: "=t")
    #expect(farApart == [true])
  }

  @Test func `are not all there is to any function that scripts hold`() throws {
    var configuration = LuaConfiguration()
    configuration.capabilities = .all
    let state = try LuaState(configuration)
    // A light C function, which is a bare address, has no upvalue.
    let plain = try state.run(
      """
      local seen, plain = {}, {}
      local function visit(value, path)
        if type(value) == "table" and not seen[value] then
          seen[value] = true
          for key, inner in next, value do visit(inner, path .. "." .. tostring(key)) end
          visit(debug.getmetatable(value), path .. "<meta>")
        elseif type(value) == "function" and debug.getinfo(value, "S").what == "C"
          and debug.getupvalue(value, 1) == nil and not path:find("<meta>", 1, true) then
          plain[#plain + 1] = path
        end
      end
      visit(_G, "_G")
      visit({ pairs({}) }, "pairs")
      visit({ ipairs({}) }, "ipairs")
      visit({ utf8.codes("") }, "codes")
      visit({ ("x"):gmatch("x") }, "gmatch")
      visit({ coroutine.wrap(print) }, "wrap")
      return table.concat(plain, " "), pairs({}) == next
      """, name: "=t")
    #expect(plain == ["", true])
  }
}
