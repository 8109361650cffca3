-- An effect that never ends.
-- expect: time
effect(function() while true do end end)
