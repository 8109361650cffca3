-- A filter that never ends.
-- expect: time
list { 1, 2 }:filter(function() while true do end end)
