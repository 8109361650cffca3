-- The same where errors are swallowed, in a coroutine, in something to be closed.
-- expect: given up
while true do
  pcall(function()
    coroutine.wrap(function()
      local c <close> = setmetatable({}, { __close = function()
        local t = {}
        for i = 1, (1 << 17) + 1 do t[i * ((1 << 18) - 1)] = true end
      end })
    end)()
  end)
end
