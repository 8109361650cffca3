-- A computed value that never ends.
-- expect: time
local o = object { v = computed(function() while true do end end) }
return o.v
