-- A reader that never returns.
-- expect: time
assert(load(function() while true do end end))
