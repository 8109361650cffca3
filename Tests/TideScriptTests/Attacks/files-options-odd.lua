-- Options of files with values that nobody has expected.
-- expect: fine
for _, value in ipairs { -1, 1e308, 0 / 0, math.mininteger, "x", {}, print, true } do
  assert(not pcall(file.tail, "/etc/passwd", { lines = value }))
  assert(not pcall(file.lines, "/etc/passwd", { limit = value }))
  assert(not pcall(file.lines, "/etc/passwd", { name = value }))
  assert(not pcall(file.lines, "/etc/passwd", value))
end
