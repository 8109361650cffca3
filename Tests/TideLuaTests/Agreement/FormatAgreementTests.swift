import Testing

@Suite struct `string.format agrees with stock` {
  @Test(arguments: Agreement.seeds(1, 2, 3))
  func `all directives, flags, widths and precisions`(seed: Int) throws {
    try Agreement.expect(
      #"""
      local texts = { "", "a", "héllo", "a\0b", "line\nbreak", 'q"uo\\te', "\1\0012\r\x7f9\0", "10",
        "0x1p4", "1e2", ("x"):rep(99), ("x"):rep(100), ("y"):rep(600), "zero\0" .. ("z"):rep(100) }
      local numbers = { 0, -0.0, 1, -1, 42, 255, 3.0, 3.5, -2.75, 1e15, 1e16, 1e100, 1e300, 5e-324,
        123456.789, math.pi, 2^53, 2^63, -2^63, 1/0, -1/0, 0/0, math.maxinteger, math.mininteger }
      local others = { true, false, thing, rawlen, {},
        setmetatable({}, { __tostring = function() return 5 end }),
        setmetatable({}, { __tostring = function() return "with\0zero" end }),
        setmetatable({}, { __tostring = function() error("none") end }) }
      local letters = "dddsssffgexXcioaAEGqqquFnlLp y$"
      local function directive()
        local conversion = random(#letters)
        conversion = letters:sub(conversion, conversion)
        if random(3) == 1 then return "%" .. conversion, conversion end
        local t = { "%" }
        for i = 1, random(0, 2) do t[#t + 1] = pick { "-", "+", " ", "#", "0", "0", "-" } end
        if random(2) == 1 then t[#t + 1] = pick { "1", "5", "8", "12", "20", "99", "100", "010" } end
        if random(3) == 1 then
          t[#t + 1] = "." .. pick { "", "0", "1", "3", "14", "20", "99", "100", "5.", "-1" }
        end
        t[#t + 1] = conversion
        return table.concat(t), conversion
      end
      for i = 1, 5000 do
        local format, given = {}, {}
        for d = 1, random(4) do
          local text, conversion = directive()
          format[d] = make(2, { "a", ": ", "%%", "\0", "é", "text " }) .. text
          local roll = random(20)
          local value
          -- Addresses differ.
          if conversion == "p" then value = 1
          elseif roll == 1 then value = pick(others)
          elseif roll == 2 then value = anything()
          elseif roll < 12 then value = pick(numbers)
          else value = pick(texts) end
          if conversion == "s" and (type(value) == "table" and not getmetatable(value)
            or type(value) == "function") then value = nil end
          given[d] = value
        end
        local text = table.concat(format) .. pick { "", "", "", "end", "%", "%%" }
        local n = #format - (random(20) == 1 and 1 or 0)
        note("format " .. line(text, table.unpack(given, 1, n)),
          pcall(string.format, text, table.unpack(given, 1, n)))
      end
      """#, seed: seed)
  }

  @Test(arguments: Agreement.seeds(4))
  func `bad arguments, however the function is called`(seed: Int) throws {
    try Agreement.expect(
      #"""
      for i = 1, 600 do
        local first = random(3) > 1 and make(4, { "%d", "%s ", "%", "5", "%q", "%5.2f" }) or anything()
        local form = pick { "local", "field", "method" }
        if form == "method" and type(first) ~= "string" and type(first) ~= "number" then form = "field" end
        local function ready(...)
          local t = table.pack(...)
          for i = 1, t.n do
            if type(t[i]) == "function" or type(t[i]) == "table" then t[i] = thing end
          end
          return table.unpack(t, 1, t.n)
        end
        note(form .. line(first), callAs(form, "string.format", ready(arguments(first, 5))))
      end
      note("as many as there are", pcall(string.format, ("%d "):rep(200),
        table.unpack(table.pack(("x"):rep(200):byte(1, 200)))))
      note("too few", pcall(string.format, ("%s "):rep(20), 1, 2, 3))
      """#, seed: seed)
  }
}
