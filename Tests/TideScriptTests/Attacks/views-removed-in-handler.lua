-- Handlers that remove their view, its parent and the whole tree.
-- expect: fine
-- leaves: other views
local o = object { n = 0 }
local label = view.label { text = function() return "n " .. o.n end }
local root = view.column { label }
show(root)
observe(o, "n", function() label:remove() root:remove() end)
o.n = 1
o.n = 2
