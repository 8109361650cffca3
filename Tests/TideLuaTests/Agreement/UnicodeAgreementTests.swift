import Testing

@Suite struct `The functions of utf8 agree with stock` {
  @Test(arguments: Agreement.seeds(1, 2))
  func `len, offset, codepoint, codes and char`(seed: Int) throws {
    try Agreement.expect(
      #"""
      local parts = { "a", "é", "€", "\u{10FFFF}", "\u{110000}", "\u{7FFFFFFF}", "\u{D800}", "\x80",
        "\xbf\xbf", "\xc3", "\xe2\x82", "\xc0\x80", "\xff", "\xfe\x80\x80\x80\x80\x80\x80", "\0",
        "\xf4\x90\x80\x80", "\xff\x80\x80\x80\x80\x80\x80\x80", "z" }
      local good = { "a", "é", "€", "\u{10FFFF}", "\0", "z" }
      for i = 1, 2500 do
        local s = random(4) == 1 and bytes(8) or make(6, random(2) == 1 and parts or good)
        local from, to, lax = random(-7, 9), random(-7, 9), random(3) == 1
        note("len " .. line(s), pcall(utf8.len, s))
        note("len " .. line(s, from, to, lax), pcall(utf8.len, s, from, to, lax))
        note("offset " .. line(s, from), pcall(utf8.offset, s, from))
        note("offset " .. line(s, from, to), pcall(utf8.offset, s, from, to))
        note("codepoint " .. line(s, from, to, lax), pcall(utf8.codepoint, s, from, to, lax))
        note("codes " .. line(s, lax), pcall(function()
          local t = {}
          for p, c in utf8.codes(s, lax) do t[#t + 1] = p .. ":" .. c end
          return table.concat(t, " ")
        end))
        local ok, step = pcall(utf8.codes, s, lax)
        if ok then note("step " .. line(s, from), pcall(step, s, from)) end
        note("char", pcall(utf8.char, random(-1, 300), random(0, 0x7FFFFFFF)))
      end
      note("far", pcall(utf8.offset, "abc", math.mininteger), pcall(utf8.offset, "abc", math.maxinteger),
        pcall(utf8.len, "abc", math.mininteger), pcall(utf8.len, "abc", 1, math.maxinteger))
      """#, seed: seed)
  }

  @Test(arguments: Agreement.seeds(3))
  func `bad arguments, however the function is called`(seed: Int) throws {
    try Agreement.expect(
      #"""
      for i = 1, 1000 do
        local name = "utf8." .. pick { "len", "offset", "codepoint", "codes", "char" }
        local first = random(3) > 1 and make(5, { "a", "1", "é" }) or anything()
        note(name .. line(first), callAs(pick { "local", "field" }, name, arguments(first, 4)))
      end
      local ok, step = pcall(utf8.codes, "abc")
      for i = 1, 100 do note("step", pcall(step, anything(), anything())) end
      """#, seed: seed)
  }
}
