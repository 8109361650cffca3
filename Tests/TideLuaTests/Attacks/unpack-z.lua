-- Texts that end with a zero byte, in a text without any.
-- expect: time
local s = ("x"):rep(4 << 20)
while true do pcall(string.unpack, "z", s) end
