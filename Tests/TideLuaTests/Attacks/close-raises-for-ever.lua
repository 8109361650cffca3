-- A failing close in an endless loop.
-- expect: time
while true do
  pcall(function()
    local t <close> = setmetatable({}, { __close = function() error("x") end })
    error("y")
  end)
end
