-- A reader that never returns.
-- expect: time
load(function() while true do end end)
