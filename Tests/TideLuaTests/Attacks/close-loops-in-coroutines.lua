-- Coroutines in coroutines, each of which holds a variable whose closing never ends.
-- expect: time or given up or depth
local function close() while true do end end
local function nest(n)
  local closing <close> = setmetatable({}, { __close = close })
  if n > 0 then coroutine.wrap(nest)(n - 1) else while true do end end
end
nest(100)
