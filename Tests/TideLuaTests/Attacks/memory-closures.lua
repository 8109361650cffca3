-- Functions with upvalues, all of them kept.
-- expect: memory
local t = {}
while true do
  local a, b, c = 1, 2, 3
  t[#t + 1] = function() return a, b, c end
end
