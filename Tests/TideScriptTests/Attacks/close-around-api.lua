-- Things to be closed that call the API while an error is on its way.
-- expect: error "boom"
local o = object { n = 0 }
local function closing() return setmetatable({}, { __close = function()
  o.n = o.n + 1
  bind("n -> n", o, object { n = 0 })
  effect(function() return o.n end)
end }) end
pcall(function()
  local c <close> = closing()
  batch(function()
    local d <close> = closing()
    context("x", function() local e <close> = closing() error("first") end)
  end)
end)
assert(o.n == 3)
local c <close> = closing()
error("boom")
