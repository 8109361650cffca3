-- A coroutine that closes or resumes itself.
-- expect: fine
local co
co = coroutine.create(function()
  assert(not pcall(coroutine.close, co))
  assert(not coroutine.resume(co))
  local outer = co
  coroutine.wrap(function()
    assert(not pcall(coroutine.close, outer))
    assert(not coroutine.resume(outer))
  end)()
end)
assert(coroutine.resume(co))
