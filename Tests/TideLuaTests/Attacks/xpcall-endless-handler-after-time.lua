-- The handler is called for the time-out itself.
-- expect: time
xpcall(function() while true do end end, function() while true do end end)
