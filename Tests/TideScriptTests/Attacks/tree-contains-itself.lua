-- A tree controller over an object that is its own child: every search of it has an end.
-- expect: fine
-- leaves: other views
local n = object { name = "n", children = list {} }
n.children:append(n)
local c = controller.tree { content = list { n } }
assert(c:nodeOf(object {}) == nil)
assert(c:nodeOf(n).object == n)
c:setSelectedObjects { object {}, object {} }
assert(#c.selectedObjects == 0)
c:setSelectedObjects { object {}, n }
assert(c.selectedObjects[1] == n)
c:remove(object {})
local v = view.tree { items = c }
show(view.column { v })
v:snapshot(20, 5)
v:expand(1, true)
v:snapshot(20, 5)
