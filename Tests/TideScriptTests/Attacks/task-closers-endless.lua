-- Tasks that hold variables whose closing never ends are cancelled.
-- expect: time or given up or fine
for _ = 1, 3 do
  local task = spawn(function()
    local closing <close> = setmetatable({}, { __close = function() while true do end end })
    sleep(1000)
  end)
  task:cancel()
end
