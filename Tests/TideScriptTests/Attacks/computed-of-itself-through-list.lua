-- A list that is made of computed values that read the list.
-- expect: error "" or fine
local l = list {}
local o = object { v = computed(function() return #l + (l[1] and l[1].v or 0) end) }
l:append(o)
return o.v
