-- The app ends while a transformer of a binding waits.
-- expect: fine
local a, b = object { x = 1 }, object { y = 0 }
transformer("slow", function(v) sleep(1000) return v end)
bind("x -> y | slow", a, b)
bind("x -> y", a, b, { transform = { transform = function(v) sleep(1000) return v end } })
spawn(function() sleep(1000) end)
