-- A binding to a function that never returns.
-- expect: time
bind(object { n = 0 }, "n", function() while true do end end)
