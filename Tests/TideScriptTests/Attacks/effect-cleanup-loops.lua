-- A clean-up that invalidates the effect.
-- expect: error "" or time
local o = object { n = 0 }
effect(function()
  local n = o.n
  return function() o.n = o.n + 1 end
end)
o.n = 1
