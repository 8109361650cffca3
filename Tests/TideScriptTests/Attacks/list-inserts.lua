-- Insertions at the front of a list, watched by derived lists, for ever.
-- expect: time or error ""
local l = list {}
local s = l:sorted(function(a, b) return a > b end)
local f = l:filter(function(v) return v % 2 == 0 end)
local i = 0
while true do i = i + 1 l:insert(1, i) end
