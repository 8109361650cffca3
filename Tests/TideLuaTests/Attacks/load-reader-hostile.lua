-- Readers that fail, yield, load, and give no text.
-- expect: fine
assert(not load(function() error("x") end))
assert(not load(function() return {} end))
assert(not load(function() return true end))
assert(load(function() end))
assert(load(function() return "" end))
local depth = 0
local function nested()
  depth = depth + 1
  load(nested)
end
load(nested)
assert(depth > 10)
assert(not coroutine.wrap(function() return load(coroutine.yield) end)())
local once
assert(load(function() if once then return end once = true collectgarbage() return "return 1" end)() == 1)
