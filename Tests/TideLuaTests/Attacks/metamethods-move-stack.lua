-- Every metamethod is called at every depth, and makes the stack grow while operands lie on it.
-- expect: fine
local function deep(n) if n > 0 then return 1 + deep(n - 1) end return 0 end
local much = 0
local mt = {}
local function value() return setmetatable({}, mt) end
for event in ("add sub mul div mod pow unm idiv band bor bxor shl shr bnot"):gmatch "%a+" do
  mt["__" .. event] = function(a) deep(much) return a end
end
mt.__eq = function() deep(much) return true end
mt.__lt, mt.__le = mt.__eq, mt.__eq
mt.__len = function() deep(much) return 3 end
mt.__call = function(_, ...) deep(much) return ... end
mt.__index = function(_, k) deep(much) return k end
mt.__newindex = function(t, k, v) deep(much) rawset(t, k, v) end
local function all()
  local a, b = value(), value()
  assert((a + b - b * a / b % a ^ b // a) == a)
  assert(-(a & b | b ~ ~a << b >> a) == -(a & b | b ~ ~a << b >> a))
  assert(a == b and a < b and a <= b and #a == 3 and a.k == "k" and a(4) == 4)
  a.x, b.y = a, b
  assert(rawget(a, "x") == a and rawget(b, "y") == b)
end
local function at(n) if n == 0 then return all() end at(n - 1) return n end
for n = 0, 120 do
  much = n % 7 * 12 + 1
  coroutine.wrap(at)(n)
end
