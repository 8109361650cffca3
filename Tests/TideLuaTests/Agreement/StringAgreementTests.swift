import Testing

@Suite struct `The other string functions agree with stock` {
  @Test(arguments: Agreement.seeds(1, 2))
  func `rep, sub, byte, char, reverse, upper, lower and len`(seed: Int) throws {
    try Agreement.expect(
      #"""
      for i = 1, 2000 do
        local s = random(3) == 1 and bytes(20) or make(5, { "ab", "é", "\0", "Z", "5" })
        local n = random(-1, 5)
        note("rep " .. line(s, n), pcall(string.rep, s, n))
        local gap = make(2, { ",", "--", "\0" })
        note("rep " .. line(s, n, gap), pcall(string.rep, s, n, gap))
        note("case " .. line(s), s:upper(), s:lower(), s:reverse(), s:len())
        local a, b = small(), small()
        note("sub " .. line(s, a, b), pcall(string.sub, s, a, b))
        note("byte " .. line(s, a, b), pcall(string.byte, s, a, b))
        note("char", pcall(string.char, random(-1, 260), random(0, 255)))
      end
      note("empty", pcall(string.rep, "", 100), pcall(string.rep, "", 100, ""))
      note("too large", pcall(string.rep, "x", 1 << 62), pcall(string.rep, "xx", 1 << 62),
        pcall(string.rep, "", math.maxinteger, "ab"))
      """#, seed: seed)
  }

  @Test(arguments: Agreement.seeds(3, 4))
  func `pack, unpack and packsize`(seed: Int) throws {
    try Agreement.expect(
      #"""
      local options = { "<", ">", "=", "!", "!4", "!3", "b", "B", "h", "H", "i", "i3", "i16", "i17",
        "I2", "l", "j", "J", "T", "f", "d", "n", "s", "s1", "s2", "z", "x", "X", "Xi4", "Xz", " ", "c",
        "c0", "c3", "c5", "c10", "q", "i0", "c2c4" }
      for i = 1, 2500 do
        local format = make(5, options)
        local given = {}
        for v = 1, 5 do given[v] = pick { 0, 1, -1, 127, 255, 70000, 1.5, 2^40, "abc", "a\0b", "", 3.0 } end
        local ok, packed = pcall(string.pack, format, table.unpack(given))
        note("pack " .. line(format, table.unpack(given)), ok, packed)
        note("packsize " .. line(format), pcall(string.packsize, format))
        packed = ok and packed or bytes(20)
        note("unpack " .. line(format, packed), pcall(string.unpack, format, packed, pick { 1, 2, -3, 0 }))
      end
      """#, seed: seed)
  }

  @Test(arguments: Agreement.seeds(5, 6))
  func `bad arguments, however the function is called`(seed: Int) throws {
    try Agreement.expect(
      #"""
      local names = { "rep", "sub", "byte", "char", "reverse", "upper", "lower", "len", "pack",
        "unpack", "packsize" }
      for i = 1, 2000 do
        local name = "string." .. pick(names)
        local first = random(3) > 1 and make(5, { "a", "1", "i", "z" }) or anything()
        local form = pick { "local", "field", "method" }
        if form == "method" and type(first) ~= "string" and type(first) ~= "number" then form = "field" end
        note(form .. name .. line(first), callAs(form, name, allNear(arguments(first, 4))))
      end
      """#, seed: seed)
  }
}
