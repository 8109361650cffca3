-- One value that is padded to a long text.
-- expect: memory or error "too"
local t = {}
for i = 1, 100 do t[i] = string.pack("c16000000", "x") end
