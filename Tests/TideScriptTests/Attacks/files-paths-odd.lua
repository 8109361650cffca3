-- Paths that are none.
-- expect: fine
local paths = { "", "\0", "x\0y", "/etc/passwd\0.txt", ("\xff"):rep(100), "\27]0;x\7", "//", "/." }
for _, path in ipairs(paths) do
  for _, f in ipairs { io.open, io.lines, file.read, file.list, file.watch, file.lines, file.tail } do
    local ok, opened = pcall(f, path)
    assert(not ok or not opened, path)
  end
end
for _, path in ipairs { {}, print, true, 0 / 0, coroutine.create(print) } do
  assert(not pcall(file.read, path))
end
assert(not pcall(file.read))
