-- Plain tables nested very deep, copied into objects.
-- expect: fine or error ""
local t = {}
for i = 1, 100000 do t = { t } end
pcall(list, t)
pcall(object, { x = t })
local u = {}
for i = 1, 100000 do u = { x = u } end
pcall(object, u)
pcall(dump, t)
pcall(dump, u)
