-- The same for a coroutine that fails while others wait in it, and for handlers within handlers.
-- expect: fine
local function waiting(closer, depth)
  local co = coroutine.create(function()
    local k <close> = setmetatable({}, { __close = closer })
    local function nest(n)
      if n == 0 then return coroutine.yield() end
      return xpcall(nest, function(m) return "handled " .. tostring(m) end, n - 1)
    end
    nest(depth)
  end)
  assert(coroutine.resume(co))
  return co
end
for depth = 1, 40 do
  local ok, message = coroutine.close(waiting(function() local x = 134 error(x) end, depth))
  assert(not ok and message == 134)
end
local f = coroutine.wrap(function()
  local k <close> = setmetatable({}, { __close = function() local a, b, c = 1, 2, 3 error("closing") end })
  xpcall(coroutine.yield, function() return "x" end)
  error("body")
end)
f()
local ok, message = pcall(f)
assert(not ok and tostring(message):find "closing")
