-- Long texts turned, folded and cut for ever.
-- expect: time
local s = ("x"):rep(4 << 20)
while true do s:reverse() s:upper() s:lower() s:sub(2) end
