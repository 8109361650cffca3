-- A message handler and something to be closed that never come to an end.
-- expect: given up
local t = {}
setmetatable(t, { __call = t })
local c <close> = setmetatable({}, { __close = t })
xpcall(error, function() t() end)
