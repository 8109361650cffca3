-- Paths of megabytes, which are refused before they are read.
-- expect: fine
local big = ("a/"):rep(2000000)
for _, f in ipairs { file.read, file.list, file.exists, file.info, file.remove, file.lines, file.tail,
  file.watch } do
  local ok, why = pcall(f, big)
  assert(not ok and tostring(why):find("a path may have", 1, true), tostring(why):sub(1, 200))
end
for _, f in ipairs { file.write, file.append, file.rename } do
  local ok, why = pcall(f, big, "x")
  assert(not ok and tostring(why):find("a path may have", 1, true), tostring(why):sub(1, 200))
end
