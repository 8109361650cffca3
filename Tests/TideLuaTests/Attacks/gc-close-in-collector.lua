-- Dropped coroutines with variables to be closed are not closed by the collector.
-- expect: time
while true do
  coroutine.wrap(function()
    local t <close> = setmetatable({}, { __close = function() while true do end end })
    coroutine.yield()
  end)()
end
