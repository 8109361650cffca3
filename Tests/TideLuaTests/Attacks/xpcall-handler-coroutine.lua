-- A handler that runs its loop in a coroutine, to get away from what forbids it.
-- expect: time
xpcall(error, function()
  coroutine.wrap(function() while true do end end)()
end)
