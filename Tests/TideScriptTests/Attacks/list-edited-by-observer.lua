-- A list's observer that edits the list, for ever.
-- expect: error "" or time or memory
local l = list { 1 }
l:observe(function() l:append(#l) end)
l:append(1)
