-- The time-out is swallowed in every layer.
-- expect: time
local function layer(n)
  while true do
    pcall(function()
      local co = coroutine.create(function()
        while true do
          if n > 0 then pcall(layer, n - 1) else pcall(function() while true do end end) end
        end
      end)
      coroutine.resume(co)
    end)
  end
end
layer(20)
