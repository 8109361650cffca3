-- A comparator of a sorted list that never ends.
-- expect: time
list { 3, 1, 2 }:sorted(function() while true do end end)
