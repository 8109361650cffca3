-- The lengths of joined texts add up beyond every limit.
-- expect: fine or memory
local s = ("x"):rep(1 << 20)
for i = 1, 12 do
  local ok, longer = pcall(function() return s .. s .. s .. s .. s .. s .. s .. s end)
  if not ok then break end
  s = longer
end
assert(not pcall(string.rep, "x", math.maxinteger))
assert(not pcall(string.rep, "xy", 1 << 62))
assert(not pcall(string.rep, "", 1, ("y"):rep(10)) or true)
