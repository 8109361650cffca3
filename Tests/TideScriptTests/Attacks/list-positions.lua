-- Positions at the ends of what a number holds.
-- expect: fine
local l = list { 1, 2, 3 }
for _, i in ipairs { 0, -1, 4, 5, math.maxinteger, math.mininteger, 1.5, 2 ^ 53, 0 / 0, 1 / 0, "x", {} } do
  pcall(function() return l[i] end)
  pcall(function() l[i] = 1 end)
  pcall(function() l:insert(i, 1) end)
  pcall(function() l:remove(i) end)
  pcall(function() l:remove(1, i) end)
  pcall(function() l:move(i, 1) end)
  pcall(function() l:move(1, i) end)
  pcall(function() l:replace(i, 1) end)
  pcall(function() l:slice(i, i) end)
  l:set { 1, 2, 3 }
end
