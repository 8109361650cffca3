-- A loop of variables whose closing loops.
-- expect: time
while true do
  pcall(function()
    local t <close> = setmetatable({}, { __close = function() while true do end end })
  end)
end
