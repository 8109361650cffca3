-- A metatable gets its __concat when it is in use already, and that makes the stack grow.
-- expect: fine or memory
local mt = {}
local x = setmetatable({}, mt)
local function deep(n) if n > 0 then return 1 + deep(n - 1) end return 0 end
local first = true
mt.__concat = function(a)
  if first then first = false deep(2000) else pcall(error, "x") end
  return a
end
assert((x .. x .. x .. "a") == x)
mt.__concat = setmetatable({}, { __call = function(_, a) deep(20000) return a end })
local y = setmetatable({}, mt)
assert((x .. y .. x) == y or (x .. y .. x) == x)
