-- Each close is stopped, and the next begins.
-- expect: time
while true do
  local co = coroutine.create(function()
    local t <close> = setmetatable({}, { __close = function() while true do end end })
    coroutine.yield()
  end)
  coroutine.resume(co)
  pcall(coroutine.close, co)
end
