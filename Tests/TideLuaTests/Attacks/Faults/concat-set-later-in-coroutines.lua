-- A __concat that is set later makes the stack grow, in every way that calls it, and fails at that or does not.
-- expect: fine
local function deep(n) if n > 0 then return 1 + deep(n - 1) end return 0 end
local ways = {
  function(mt, f) mt.__concat = f end,
  function(mt, f) rawset(mt, "__concat", f) end,
  function(mt, f) setmetatable(mt, { __newindex = function(t, k, v) rawset(t, k, v) end }).__concat = f end,
  function(mt, f) mt["__" .. "concat"] = setmetatable({}, { __call = function(_, a, b) return f(a, b) end }) end,
  function(mt, f) mt.__concat = coroutine.wrap(function(a, b) while true do a, b = coroutine.yield(f(a, b)) end end) end,
  function(mt, f) mt.__concat = print mt.__concat = f end,
}
local bodies = {
  function(a, b) deep(10) return a end,
  function(a, b) deep(3000) return a end,
  function(a, b) pcall(deep, 5000) return a end,
  function(a, b) xpcall(deep, function(m) deep(300) return m end, 1e5) return a end,
  function(a, b) return select("#", table.unpack({}, 1, 400)) end,
  function(a, b) error({ deep(50) }) end,
  function(a, b) coroutine.yield(a) deep(3000) return a end,
  function(a, b) return ("x"):rep(100):gsub(".", function(c) return c .. deep(20) end) end,
}
for _, set in ipairs(ways) do
  for _, body in ipairs(bodies) do
    local function join(depth)
      if depth > 0 then return (join(depth - 1)) end
      local mt = {}
      local x = setmetatable({}, mt)
      set(mt, body)
      local s = "a" .. 1 .. x .. 2.5 .. x .. "b"
      local t = x .. ("c" .. x)
      return s, t
    end
    for depth = 0, 40, 8 do
      pcall(join, depth)
      local co = coroutine.wrap(function() return pcall(join, depth) end)
      for i = 1, 6 do if not pcall(co) then break end end
    end
  end
end
