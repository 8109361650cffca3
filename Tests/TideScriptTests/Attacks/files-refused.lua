-- Files that nobody has allowed, by every function that reads one.
-- expect: fine
local paths = { "/etc/passwd", "/proc/self/environ", "/dev/zero", "../secret", "./x/../../secret", "x" }
for _, path in ipairs(paths) do
  for name, f in pairs { open = io.open, lines = io.lines, read = file.read, list = file.list,
    exists = file.exists, info = file.info, follow = file.lines, tail = file.tail,
    watch = file.watch } do
    assert(not pcall(f, path), name .. " " .. path)
  end
end
