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

  @Test func `are not shown by a format in which one value changes another`() throws {
    let state = try LuaState()
    let texts = try state.run(
      """
      local meta = { __tostring = function() return "b" end }
      local a, b = {}, setmetatable({}, meta)
      setmetatable(a, { __tostring = function() meta.__tostring = nil return "a" end })
      local text = ("%s %s"):format(a, b)
      return text, "a " .. tostring(b)
      """, name: "=t")
    #expect(texts[0] == texts[1])
  }

  @Test func `are no part of what random numbers begin with`() throws {
    // Two interpreters that are opened one after the other lie at neighbouring addresses, and begin
    // in the same second.
    var firsts: Set<Int> = [], seeds: Set<Int> = []
    var kept: [LuaState] = []
    for _ in 0..<8 {
      let state = try LuaState()
      kept.append(state)
      firsts.insert(try #require(state.run("return math.random(0)", name: "=t")[0].integer))
      for seed in try state.run("return math.randomseed()", name: "=t") {
        seeds.insert(try #require(seed.integer))
      }
    }
    #expect(firsts.count == 8)
    #expect(seeds.count == 16)
    // An address has zeros in front; of sixteen numbers by chance hardly one has.
    #expect(seeds.filter { UInt64(bitPattern: Int64($0)) >> 48 == 0 }.count < 2)
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
