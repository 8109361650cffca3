-- A filter that never ends.
-- expect: time or error "has no property"
list { 1, 2 }:filter(function() while true do end end)
