-- Texts with stray, missing and far too many continuation bytes.
-- expect: fine
for first = 128, 255 do
  for length = 0, 8 do
    for _, tail in ipairs { 0x80, 0xbf, 0x41 } do
      local s = "a" .. string.char(first) .. string.char(tail):rep(length)
      for _, lax in ipairs { true, false } do
        local ok = pcall(function() for _ in utf8.codes(s, lax) do end end)
        local n = utf8.len(s, 1, -1, lax)
        assert(not (ok and not n and false))
        pcall(utf8.codepoint, s, 1, -1, lax)
        pcall(utf8.offset, s, 2)
        if first >= 0xfe then assert(not n) end
      end
    end
  end
end
assert(utf8.len("\u{7FFFFFFF}", 1, 1, true) == 1)
