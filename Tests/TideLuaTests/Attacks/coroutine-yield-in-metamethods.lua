-- Yields across metamethods, pcall and iterators.
-- expect: fine
local y = coroutine.yield
local t = setmetatable({}, {
  __index = function(_, k) return y(k) end, __add = function() return y("+") end,
  __call = function() return y("()") end, __eq = function() return y("==") end,
  __lt = function() return y("<") end, __concat = function() return y("..") end,
  __len = function() return y("#") end, __newindex = function() y("=") end,
})
local u = setmetatable({}, getmetatable(t))
local co = coroutine.wrap(function()
  local _ = t.x, t + 1, t(), t == u, t < u, t .. "x", #t
  t.y = 1
  for _ in function() return y("for") end do end
  pcall(y, "pcall")
  xpcall(y, print, "xpcall")
  return "end"
end)
for i = 1, 100 do if co() == "end" then return end end
error("never ended")
