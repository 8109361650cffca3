-- Coroutines that call the API and are dropped amid it.
-- expect: fine or error "yield"
local o = object { n = 0, v = computed(function(self) return self.n end) }
for i = 1, 100 do
  coroutine.wrap(function()
    o.n = o.n + 1
    local v = o.v
    context.begin("x" .. i)
    coroutine.yield()
    o.n = 0
  end)()
end
collectgarbage()
for _, body in ipairs {
  function() batch(coroutine.yield) end, function() effect(coroutine.yield) end,
  function() context("x", coroutine.yield) end, function() untracked(coroutine.yield) end,
  function() list { 2, 1 }:sorted(coroutine.yield) end,
  function() observe(o, "n", coroutine.yield) o.n = o.n + 1 end,
} do
  coroutine.resume(coroutine.create(body))
end
collectgarbage()
assert(o.n > 0)
