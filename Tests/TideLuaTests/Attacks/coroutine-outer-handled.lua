-- The coroutine that resumed this one is handed to every function that takes one.
-- expect: fine
local outer = coroutine.running()
local function handle(depth)
  assert(coroutine.status(outer) == "normal")
  assert(not pcall(coroutine.close, outer))
  assert(not coroutine.resume(outer, 1))
  assert(not pcall(coroutine.wrap, outer))
  if depth > 0 then coroutine.wrap(handle)(depth - 1) end
  collectgarbage()
  return outer, 1.5, {}
end
local co = coroutine.create(handle)
assert(coroutine.resume(co, 10))
assert(coroutine.close(co))
assert(coroutine.status(outer) == "running")
