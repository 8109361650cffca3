-- Ever longer tables of arguments.
-- expect: depth or error "stack overflow" or error "too many results" or memory
local t = { 1 }
while true do t = table.pack(table.unpack(t), table.unpack(t)) local n = #t for i = 1, n do t[n + i] = i end end
