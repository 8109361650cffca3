-- The collector makes the stack smaller while the first operands are joined.
-- expect: fine
local mt, collect = {}, false
mt.__concat = function(a)
  if collect then collect = false; collectgarbage() else pcall(error, "raised") end
  return a
end
local function deep(n) if n > 0 then return 1 + deep(n - 1) end return 0 end
for depth = 1, 400 do
  coroutine.wrap(function()
    deep(depth)
    local x = setmetatable({}, mt)
    collect = true
    assert((x .. "a" .. x .. x) == x)
    for i = 1, 50 do local t = { {} } end
  end)()
end
