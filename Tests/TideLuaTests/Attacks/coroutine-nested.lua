-- Coroutines in coroutines, the innermost of which loops.
-- expect: time
local function deep(n)
  return coroutine.wrap(function()
    if n > 0 then deep(n - 1) else while true do end end
  end)()
end
deep(150)
