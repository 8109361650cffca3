-- Walks over lists, dicts and objects that are edited meanwhile.
-- expect: fine
local l, d, o = list { 1, 2, 3 }, dict { a = 1, b = 2, c = 3 }, object { x = 1, y = 2 }
for i in ipairs(l) do if i < 50 then l:append(i) end end
for k in pairs(d) do d[k] = nil d[k .. "x"] = nil end
for k in pairs(o) do o.x = o.x + 1 end
for name, value, type in properties(o) do o.y = o.y + 1 end
local next, loop, index = pairs(l)
l:clear()
next(loop, index)
next(loop, -1)
next(loop, math.maxinteger)
pcall(next)
pcall(next, l, 0)
pcall(next, coroutine.create(next), 1)
local kept = {}
for i = 1, 200 do
  kept[i] = { ipairs(l) }
  l:append(i)
end
for i = 1, 200 do kept[i][1](kept[i][2], i - 2) end
kept, loop = nil, nil
collectgarbage()
for i, v in l:each() do
  collectgarbage()
  if i == 3 then error_free = v break end
end
local waiting = coroutine.wrap(function() for _, v in ipairs(l) do coroutine.yield(v) end end)
waiting()
l:clear()
waiting()
waiting = nil
collectgarbage()
