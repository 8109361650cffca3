-- A tree of views that is very deep.
-- expect: time or memory or error "" or fine
-- leaves: other views
local v = view.label { text = "x" }
for i = 1, 20000 do v = view.column { v } end
show(v)
