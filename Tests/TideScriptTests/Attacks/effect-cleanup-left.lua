-- Clean-ups that are left when the app ends, some of which fail.
-- expect: fine
local o = object { n = 0 }
for i = 1, 10 do
  effect(function()
    local n = o.n
    return function() o.n = o.n + 1 if i > 5 then error("boom") end end
  end)
end
