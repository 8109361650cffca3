-- Children that a function gives, which changes what it reads.
-- expect: error "" or time
-- leaves: other views
local o = object { n = 0 }
show(view.column { function() o.n = o.n + 1 return { view.label { text = "" .. o.n } } end })
