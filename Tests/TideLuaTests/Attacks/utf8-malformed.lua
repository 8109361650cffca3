-- Bytes that are no text.
-- expect: fine
for i = 0, 255 do
  for _, tail in ipairs { "", "\x80", "\xff", "\x80\x80\x80\x80\x80\x80" } do
    local s = string.char(i) .. tail
    pcall(utf8.len, s)
    pcall(utf8.len, s, 1, -1, true)
    pcall(utf8.codepoint, s, 1, -1)
    pcall(utf8.offset, s, 1)
    pcall(function() for _ in utf8.codes(s) do end end)
  end
end
assert(not pcall(utf8.char, 1 << 31))
