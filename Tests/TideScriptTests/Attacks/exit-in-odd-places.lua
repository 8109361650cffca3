-- exit within pcall, effects, observers, computed values, transformers and coroutines.
-- expect: fine
-- leaves: nothing
local o = object { n = 0, v = computed(function() exit(1) end) }
pcall(exit, 2)
pcall(function() return o.v end)
coroutine.wrap(function() pcall(exit, 3) end)()
observe(o, "n", function() exit(4) end)
o.n = 1
effect(function() exit(5) end)
