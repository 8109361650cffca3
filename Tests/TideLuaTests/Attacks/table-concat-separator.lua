-- Short texts with a long text between them.
-- expect: memory or error "too large"
local t = {}
for i = 1, 10000 do t[i] = "" end
return table.concat(t, ("x"):rep(1 << 16))
