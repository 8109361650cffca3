-- A million coroutines held at once.
-- expect: memory or time
local all = {}
for i = 1, 1000000 do
  all[i] = coroutine.create(function() coroutine.yield() end)
  coroutine.resume(all[i])
end
