-- Quoting texts in which every byte becomes four.
-- expect: time or error "too large" or memory
local s = ("\0"):rep(1 << 20)
while true do pcall(string.format, "%q", s) end
