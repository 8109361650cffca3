-- Long texts as keys: hashing one reads all of it.
-- expect: time
local t = {}
while true do t[("x"):rep(1 << 20) .. #t] = nil local v = t[("y"):rep(1 << 20)] end
