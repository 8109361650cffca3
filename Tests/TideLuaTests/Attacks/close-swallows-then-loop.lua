-- An endless loop, and a variable whose closing swallows every error for ever.
-- expect: time or given up
local closing <close> = setmetatable({}, { __close = function()
  while true do pcall(error, "again") pcall(function() while true do end end) end
end })
while true do pcall(error, "again") end
