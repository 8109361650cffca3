-- Coroutines look at the state of one that is being closed, and try to use it.
-- expect: fine
local co
local seen = {}
co = coroutine.create(function()
  local k <close> = setmetatable({}, { __close = function()
    seen[1] = coroutine.status(co)
    seen[2] = coroutine.resume(co)
    seen[3] = pcall(coroutine.close, co)
    seen[4] = pcall(coroutine.wrap(function() coroutine.resume(co) end))
  end })
  coroutine.yield()
end)
coroutine.resume(co)
coroutine.close(co)
assert(seen[1] ~= "suspended" and not seen[2] and not seen[3])
assert(coroutine.status(co) == "dead")
