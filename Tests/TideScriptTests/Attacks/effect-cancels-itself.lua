-- An effect that is cancelled while it cleans up, and so runs no more.
-- expect: fine
local o = object { n = 0 }
local handle, runs = nil, 0
handle = effect(function()
  runs = runs + 1
  local n = o.n
  if handle then handle:cancel() end
  return function() if handle then handle:cancel() end end
end)
o.n = 1
o.n = 2
o.n = 3
assert(runs == 1, runs)
