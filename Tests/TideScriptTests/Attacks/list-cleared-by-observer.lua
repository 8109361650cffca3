-- A list's observers that empty it while they are told.
-- expect: fine or error ""
local l = list { 1, 2, 3 }
l:observe(function() if #l > 0 then l:clear() end end)
l:observe(function() if #l > 0 then l:remove(1) end end)
l:append(4)
l:set { 1, 2, 3 }
for i, v in ipairs(l) do l:clear() end
