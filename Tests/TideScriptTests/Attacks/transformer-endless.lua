-- A transformer that never returns.
-- expect: time
transformer("spin", function() while true do end end)
bind("n -> n | spin", object { n = 1 }, object { n = 0 })
