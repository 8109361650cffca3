-- Children that a function never gives.
-- expect: time
-- leaves: other views
show(view.column { function() while true do end end })
