-- Errors in expressions over many lines, each of which names its line.
-- expect: fine
local function line_of(source)
  local f = assert(load(source, "=t"))
  local _, message = pcall(f)
  return tonumber(tostring(message):match "t:(%d+):")
end
assert(line_of "local a = {}\nreturn a\n+\n1")
assert(line_of "local a\nreturn 1\n..\na")
assert(line_of "local a\na\n(\n1\n)")
assert(line_of "return 10\n,\nfig\n.x")
for n = 1, 300, 7 do assert(line_of(("\n"):rep(n) .. "local a return a.b.c") == n + 1) end
