-- A long chain that does end, after minutes.
-- expect: given up or memory or time
local t = function() return "called" end
for i = 1, 200000 do t = setmetatable({}, { __call = t }) end
for i = 1, 100 do pcall(t) end
while true do end
