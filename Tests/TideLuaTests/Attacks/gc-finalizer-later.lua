-- A finalizer that is added after the metatable was set marks nothing.
-- expect: time
local called
for i = 1, 100 do
  local meta = {}
  setmetatable({}, meta)
  meta.__gc = function() called = true while true do end end
end
collectgarbage()
assert(not called)
while true do local t = {} if called then error("a finalizer ran") end end
