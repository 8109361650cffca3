-- The stack grows while the first operands are joined, and an error is caught while the next ones are.
-- expect: fine
local mt, first = {}, true
local function deep(n) if n > 0 then return 1 + deep(n - 1) end return 0 end
mt.__concat = function(a)
  if first then first = false; deep(2000) else pcall(error, "x") end
  return a
end
local x = setmetatable({}, mt)
assert((x .. x .. x) == x)
