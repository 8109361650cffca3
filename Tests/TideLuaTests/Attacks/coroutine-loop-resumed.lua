-- Each coroutine is stopped and the next one begins.
-- expect: time
while true do
  coroutine.resume(coroutine.create(function() while true do end end))
end
