-- Long chains of tables, walked for ever.
-- expect: time
local t = { x = 1 }
for i = 1, 1900 do t = setmetatable({}, { __index = t }) end
while true do local v = t.x, t.y end
