-- The same where each level also closes a variable.
-- expect: time or given up or depth
local function f()
  local closing <close> = setmetatable({}, { __close = function() pcall(f) end })
  while true do pcall(f) end
end
f()
