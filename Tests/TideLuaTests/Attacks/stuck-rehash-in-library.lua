-- The same in functions of the library, which call themselves, and in what they call.
-- expect: given up or time
local keys = {}
for i = 1, (1 << 17) + 1 do keys[i] = i * ((1 << 18) - 1) end
local t = setmetatable({}, { __newindex = function(t, i, v) rawset(t, keys[i], v) end })
table.sort({ 2, 1 }, function()
  ("x"):gsub("x", function() table.move(keys, 1, #keys, 1, t) end)
  return true
end)
while true do end
