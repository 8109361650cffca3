-- The same, read again and again.
-- expect: time
local o = object { v = computed(function() while true do end end) }
while true do pcall(function() return o.v end) end
