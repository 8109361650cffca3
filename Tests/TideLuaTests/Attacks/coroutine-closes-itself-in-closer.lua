-- What is closed closes, resumes and wraps the coroutine that is closed.
-- expect: fine
local co
co = coroutine.create(function()
  local closing <close> = setmetatable({}, { __close = function()
    assert(not pcall(coroutine.close, co))
    assert(not coroutine.resume(co))
    coroutine.status(co)
  end })
  coroutine.yield()
end)
coroutine.resume(co)
coroutine.close(co)
assert(coroutine.status(co) == "dead")
