-- Walks over lists, dicts and objects that are edited meanwhile.
-- expect: fine
local l, d, o = list { 1, 2, 3 }, dict { a = 1, b = 2, c = 3 }, object { x = 1, y = 2 }
for i in ipairs(l) do if i < 50 then l:append(i) end end
for k in pairs(d) do d[k] = nil d[k .. "x"] = nil end
for k in pairs(o) do o.x = o.x + 1 end
for name, value, type in properties(o) do o.y = o.y + 1 end
local next = pairs(l)
l:clear()
next()
next()
collectgarbage()
