-- A long chain of tables through __index.
-- expect: error "'__index' chain too long"
local t = {}
for i = 1, 100000 do t = setmetatable({}, { __index = t }) end
return t.x
