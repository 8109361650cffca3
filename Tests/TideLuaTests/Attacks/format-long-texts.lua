-- Many long texts in one format.
-- expect: time or error "too large" or memory
local s = ("x"):rep(1 << 20)
while true do pcall(string.format, ("%s"):rep(100), s, s, s, s, s, s, s, s, s, s, s, s, s, s, s, s) end
