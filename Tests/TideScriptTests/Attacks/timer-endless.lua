-- A timer's function that never ends.
-- expect: time
every(0.001, function() while true do end end)
