-- Errors in coroutines at the very end of the stack, whose handlers need more of it.
-- expect: fine or depth or memory or time
local function overflow() local a = overflow() return a end
local function run(handler)
  local co = coroutine.create(function()
    local k <close> = setmetatable({}, { __close = function(_, e) return pcall(overflow) end })
    return xpcall(overflow, handler)
  end)
  local ok, inner, message = coroutine.resume(co)
  coroutine.close(co)
end
run(function(m) return m end)
run(function(m) return overflow() end)
run(function(m) return tostring(m):rep(10) end)
run(function(m) error(m) end)
local depth = 0
local function nest()
  depth = depth + 1
  if depth > 300 then return end
  return coroutine.wrap(function() return nest() end)()
end
pcall(nest)
pcall(string.gsub, "x", "x", function() overflow() end)
