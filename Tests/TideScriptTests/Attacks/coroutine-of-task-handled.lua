-- The coroutine of a task that waits is closed, resumed and wrapped by others.
-- expect: fine or error ""
local co
spawn(function()
  co = coroutine.running()
  sleep(0)
  sleep(0.001)
end)
local function handle()
  pcall(coroutine.resume, co, 1, {}, "x")
  pcall(coroutine.close, co)
  pcall(coroutine.wrap, co)
  pcall(coroutine.status, co)
end
handle()
coroutine.wrap(handle)()
after(0, handle)
after(0.002, handle)
spawn(handle)
