-- Files that nobody has allowed, by every function that changes one.
-- expect: fine
local paths = { "/tmp/attack", ".busted", "attack.lua", "spec/attack", "../attack", "/proc/self/mem" }
for _, path in ipairs(paths) do
  assert(not pcall(file.write, path, "x"))
  assert(not pcall(file.append, path, "x"))
  assert(not pcall(file.remove, path))
  assert(not pcall(file.rename, path, path .. "2"))
  assert(not pcall(os.remove, path))
  assert(not pcall(os.rename, path, path .. "2"))
  for _, mode in ipairs { "w", "a", "r+", "w+", "a+b" } do assert(not pcall(io.open, path, mode)) end
end
assert(not pcall(io.tmpfile) and not pcall(os.tmpname))
