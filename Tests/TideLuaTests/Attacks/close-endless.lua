-- What is to be closed loops, once the turn is over as well.
-- expect: time
local function hang() while true do end end
local t <close> = setmetatable({}, { __close = hang })
hang()
