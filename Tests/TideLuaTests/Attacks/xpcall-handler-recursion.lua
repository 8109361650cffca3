-- A handler that calls xpcall with itself.
-- expect: time
local function handler() return xpcall(error, handler) end
while true do xpcall(error, handler) end
