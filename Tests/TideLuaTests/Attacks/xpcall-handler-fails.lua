-- Each failing handler calls the handler again.
-- expect: time
local function handler(e) error(e) end
while true do xpcall(error, handler, "x") end
