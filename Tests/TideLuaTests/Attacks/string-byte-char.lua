-- As many bytes as the stack can hold.
-- expect: depth or error "string slice too long" or memory
local s = ("x"):rep(2 << 20)
return #s:byte(1, -1)
