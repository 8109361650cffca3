-- Two coroutines that hand each other the turn.
-- expect: time
local co = coroutine.wrap(function() while true do coroutine.yield() end end)
while true do co() end
