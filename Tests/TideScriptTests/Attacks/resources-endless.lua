-- A resource whose function never ends, and asks for itself again.
-- expect: time
kept = resource(function() while true do end end)
kept:refresh()
