-- Lists and objects that contain each other, walked, dumped and printed.
-- expect: fine or error ""
local l, o = list {}, object { p = property {} }
o.p = l
l:append(o)
l:append(l)
tostring(l)
tostring(o)
dump(l)
dump(o)
l:totable()
o.p = nil
l:clear()
