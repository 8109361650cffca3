-- Files that are not allowed, watched and followed for ever.
-- expect: time
while true do
  pcall(file.watch, "/etc/passwd")
  pcall(file.tail, "/etc/passwd", { lines = 1000000000 })
  pcall(file.lines, "/etc/passwd", { limit = 1 })
end
