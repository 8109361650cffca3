-- Each step of a deep chain swallows the error of the step before it.
-- expect: fine or time or error ""
local previous = object { v = 0 }
for i = 1, 200 do
  local before = previous
  previous = object { v = computed(function()
    local ok, v = pcall(function() return before.v end)
    return ok and v + 1 or -1
  end) }
end
local v = previous.v
assert(type(v) == "number")
