-- Comparators that contradict themselves, raise, and change the list.
-- expect: fine or error ""
local l = list {}
for i = 1, 200 do l:append((i * 7919) % 211) end
pcall(function() return #l:sorted(function() return true end) end)
pcall(function() return #l:sorted(function() return math.random() < 0.5 end) end)
pcall(function() return #l:sorted(function(a, b) error("x") end) end)
pcall(function() return #l:sorted(function(a, b) l:append(1) return a < b end) end)
pcall(function() return #l:filter(function(v) l:remove(1) return true end) end)
pcall(function() return #l:map(function(v) l:clear() return v end) end)
l:append(5)
