-- A list of numbers that is too short to be read in slices, read again and again.
-- expect: time or memory
local text = "[" .. ("1,"):rep(20000) .. "1]"
while true do json.decode(text) end
