-- Each failing coroutine's closing runs a failing coroutine.
-- expect: fine
local function failing(n)
  return coroutine.wrap(function()
    local t <close> = setmetatable({}, { __close = function()
      if n > 0 then pcall(failing(n - 1)) end
    end })
    error("x")
  end)
end
pcall(failing(30000))
