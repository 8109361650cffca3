-- The running coroutine is handed to every function that takes one.
-- expect: fine
local co = coroutine.running()
for _ = 1, 3 do
  assert(not pcall(coroutine.close, co))
  local resumed = coroutine.resume(co, 1, 2, 3)
  assert(not resumed)
  assert(coroutine.status(co) == "running")
  assert(not pcall(coroutine.wrap, co))
  pcall(coroutine.isyieldable, co)
  collectgarbage()
end
assert(coroutine.running() == co)
