-- A chain of closures, each of which holds the one before, and is called at the end.
-- expect: depth or error "stack overflow" or memory
local f = function() return 0 end
for i = 1, 250000 do
  local g = f
  f = function() return 1 + g() end
end
return f()
