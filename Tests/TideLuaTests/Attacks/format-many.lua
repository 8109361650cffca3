-- As many fields as fit in a format.
-- expect: time or error "too" or memory
local format = ("%99.99f"):rep(150000)
local t = {}
for i = 1, 9999 do t[i] = 1e308 end
while true do pcall(string.format, format, table.unpack(t)) end
