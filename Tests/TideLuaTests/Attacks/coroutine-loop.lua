-- The loop runs in a coroutine.
-- expect: time
coroutine.resume(coroutine.create(function() while true do end end))
