-- A text that is repeated again and again.
-- expect: memory or error "too large"
local s = "x"
while true do s = s:rep(100) end
