-- Each metamethod calls itself; all of them end in an error.
-- expect: fine
local cases = {
  __index = function(t) return t.x end, __newindex = function(t) t.x = 1 end,
  __call = function(t) return t() end, __add = function(t) return t + t end,
  __sub = function(t) return t - t end, __mul = function(t) return t * t end,
  __div = function(t) return t / t end, __mod = function(t) return t % t end,
  __pow = function(t) return t ^ t end, __unm = function(t) return -t end,
  __idiv = function(t) return t // t end, __band = function(t) return t & t end,
  __bor = function(t) return t | t end, __bxor = function(t) return t ~ t end,
  __shl = function(t) return t << t end, __shr = function(t) return t >> t end,
  __bnot = function(t) return ~t end, __concat = function(t) return t .. t end,
  __len = function(t) return #t end, __eq = function(t, u) return t == u end,
  __lt = function(t, u) return t < u end, __le = function(t, u) return t <= u end,
  __tostring = function(t) return tostring(t) end, __pairs = function(t) return pairs(t) end,
  __close = function(t) local u <close> = t end,
}
local function use(name, t, u)
  if name == "__newindex" then t.x = 1
  elseif name == "__eq" then return t == u
  elseif name == "__tostring" then return tostring(t)
  elseif name == "__pairs" then return pairs(t)
  elseif name == "__close" then local v <close> = t
  elseif name == "__lt" then return t < u
  elseif name == "__le" then return t <= u
  else return cases[name](t, u) end
end
for name, method in pairs(cases) do
  -- Not a tail call, which would take no stack.
  local meta = { [name] = function(t, u) return (method(t, u)) end }
  local t, u = setmetatable({}, meta), setmetatable({}, meta)
  assert(not pcall(use, name, t, u), name)
end
