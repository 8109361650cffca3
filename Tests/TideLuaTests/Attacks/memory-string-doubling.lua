-- A text that doubles.
-- expect: memory or error "too large"
local s = "x"
while true do s = s .. s end
