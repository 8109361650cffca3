-- The same for ever.
-- expect: time
local previous = object { v = 0 }
for i = 1, 300 do
  local before = previous
  previous = object { v = computed(function() return before.v + 1 end) }
end
while true do pcall(function() return previous.v end) end
