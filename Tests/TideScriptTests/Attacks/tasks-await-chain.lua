-- Tasks that each await the one before.
-- expect: fine or time or memory
local t = spawn(function() sleep(1000) end)
for _ = 1, 5000 do
  local before = t
  t = spawn(function() await(before) end)
end
t:cancel()
