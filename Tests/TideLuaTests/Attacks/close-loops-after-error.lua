-- Closing that never ends, after an error, in a loop that swallows it.
-- expect: time or given up
while true do
  pcall(function()
    local closing <close> = setmetatable({}, { __close = function() while true do end end })
    error "x"
  end)
end
