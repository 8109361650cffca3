-- One expression as long as load takes.
-- expect: time
local s = "return " .. ("1 + "):rep(200000) .. "1"
local t = "return {" .. ("1,"):rep(400000) .. "}"
local u = "return " .. ("'a' .. "):rep(100) .. "'b'"
local v = "return f" .. ("()"):rep(400000)
while true do load(s) load(t) load(u) load(v) end
