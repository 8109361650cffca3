-- Numerals as long as load takes.
-- expect: time
local s = "return 0x" .. ("f"):rep(1000000)
local t = "return " .. ("9"):rep(1000000)
local u = "return 0x." .. ("0"):rep(900000) .. "1p1"
local v = "return 1e" .. ("9"):rep(900000)
while true do load(s) load(t) load(u) load(v) end
