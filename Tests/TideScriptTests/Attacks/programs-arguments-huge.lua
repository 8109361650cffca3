-- A program's name and arguments of megabytes, which no system passes on.
-- expect: fine
local big = ("x"):rep(7 << 20)
local function refused(f, ...)
  local ok, why = pcall(f, ...)
  assert(not ok and tostring(why):find("may have", 1, true), tostring(why):sub(1, 200))
end
for _, f in ipairs { process.run, process.lines, process.start } do
  refused(f, big)
  refused(f, "ls", { big })
  refused(f, "ls", {}, { environment = { A = big } })
  refused(f, "ls", {}, { folder = big })
end
