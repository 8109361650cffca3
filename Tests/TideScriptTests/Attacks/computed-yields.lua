-- A computed value that yields.
-- expect: error "yield"
local o = object { v = computed(function() coroutine.yield() end) }
coroutine.wrap(function() return o.v end)()
