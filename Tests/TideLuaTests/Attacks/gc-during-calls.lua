-- The collector shrinks the stack while calls, comparisons and metamethods stand on it.
-- expect: fine
local mt = {}
local function value(n) return setmetatable({ n = n }, mt) end
local function deep(n) if n > 0 then return 1 + deep(n - 1) end collectgarbage() return 0 end
for _, event in ipairs { "__add", "__sub", "__mul", "__div", "__mod", "__pow", "__unm", "__idiv", "__band",
  "__bor", "__bxor", "__shl", "__shr", "__bnot" } do
  mt[event] = function(a) deep(1500) collectgarbage() return a end
end
mt.__eq = function() deep(1500) collectgarbage() return true end
mt.__lt = function() deep(1500) collectgarbage() return true end
mt.__le = mt.__lt
mt.__len = function() deep(1500) collectgarbage() return 3 end
mt.__call = function(_, ...) deep(1500) collectgarbage() return ... end
mt.__index = function(t, k) deep(1500) collectgarbage() return k end
mt.__newindex = function(t, k, v) deep(1500) collectgarbage() rawset(t, k, v) end
local a, b = value(1), value(2)
for round = 1, 3 do
  local c = -((a + b) * a // b & b | a ~ b << a >> b ^ a % b)
  assert(c == a and a < b and a <= b and #a == 3 and a(1, 2, 3) == 1 and a.k == "k")
  a[round] = round
  assert(rawget(a, round) == round and ~a == a)
end
