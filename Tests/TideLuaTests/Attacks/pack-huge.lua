-- Formats of pack that ask for much.
-- expect: fine
for _, format in ipairs { "i17", "i0", "s17", "!17", "c99999999999", "c" .. math.maxinteger,
  ("c1000000"):rep(5000), "X", "Xc1", "!16 Xi16", ("i16"):rep(30000), "c99999999999999999999999" } do
  pcall(string.packsize, format)
  pcall(string.pack, format, "x")
  pcall(string.unpack, format, "x")
end
assert(not pcall(string.pack, "c100000000", "x"))
