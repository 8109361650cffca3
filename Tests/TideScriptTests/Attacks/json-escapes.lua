-- Text of which every byte is escaped.
-- expect: time or memory
local big = ("\n"):rep(4000000)
while true do json.encode(big) end
