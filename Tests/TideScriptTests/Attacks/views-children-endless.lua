-- Children that a function never gives.
-- expect: time
show(view.column { function() while true do end end })
