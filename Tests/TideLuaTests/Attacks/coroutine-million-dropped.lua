-- A million coroutines, each dropped while it waits.
-- expect: time or fine
for i = 1, 1000000 do
  coroutine.wrap(function() coroutine.yield() end)()
end
