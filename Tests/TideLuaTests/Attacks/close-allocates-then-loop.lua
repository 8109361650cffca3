-- An endless loop, and a variable whose closing allocates for ever.
-- expect: time or given up or memory
local closing <close> = setmetatable({}, { __close = function()
  while true do local t = { {}, {}, "x" .. math.random() } end
end })
while true do local t = { {} } end
