-- Packed texts that claim every length, also ones that wrap around when a position is added.
-- expect: fine
for size = 1, 16 do
  for _, byte in ipairs { 0x00, 0x01, 0x7f, 0x80, 0xff } do
    local prefix = string.char(byte):rep(size)
    for _, order in ipairs { "<", ">", "=" } do
      for at = -3, 3 do
        pcall(string.unpack, order .. "s" .. size, prefix .. "abc", at)
        pcall(string.unpack, order .. "i" .. size, prefix, at)
        pcall(string.unpack, order .. "c3 s" .. size, "xyz" .. prefix .. "abc", at)
      end
    end
  end
end
for _, at in ipairs { math.maxinteger, math.mininteger, -1, 0, 4, 5 } do
  for _, format in ipairs { "z", "s1", "c4", "!8 Xi8 c1", "B", "i16", "c0" } do pcall(string.unpack, format, "abc", at) end
end
assert(not pcall(string.unpack, "s8", ("\xff"):rep(8) .. "abc"))
assert(not pcall(string.unpack, "<s8", "\xf8" .. ("\xff"):rep(7) .. "abc"))
assert(string.unpack("s1", "\3abc") == "abc")
