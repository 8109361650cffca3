-- Long formats for ever.
-- expect: time
local format = ("x"):rep(60000)
while true do pcall(string.pack, format) pcall(string.unpack, format, ("x"):rep(60000)) end
