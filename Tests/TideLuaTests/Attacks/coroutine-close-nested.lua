-- Each closing closes the next coroutine; unbounded, the C stack would overflow.
-- expect: fine
local function suspended(n)
  local co = coroutine.create(function()
    local t <close> = setmetatable({}, { __close = function()
      if n > 0 then coroutine.close(suspended(n - 1)) end
    end })
    coroutine.yield()
  end)
  coroutine.resume(co)
  return co
end
coroutine.close(suspended(30000))
