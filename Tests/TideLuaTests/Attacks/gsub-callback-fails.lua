-- Callbacks that raise, yield, and change what they are called for.
-- expect: fine
local s = ("x"):rep(1000)
local n = 0
local ok, message = pcall(string.gsub, s, ".", function() n = n + 1 if n == 500 then error("stop", 0) end end)
assert(not ok and message == "stop" and n == 500)
assert(not pcall(string.gsub, s, ".", function() return {} end))
assert(not pcall(string.gsub, s, ".", setmetatable({}, { __index = error })))
local count = 0
s:gsub(".", function() count = count + 1 s = nil collectgarbage() end)
assert(count == 1000)
