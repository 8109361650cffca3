-- What a spec brings for its assertions never ends: a formatter, a matcher, an assertion, a text.
-- file: spec/attack_spec.lua
-- arguments: --timeout 1
-- expect: 1 success / 0 failures / 4 errors
local function endless() while true do pcall(error) end end
it('formatter', function()
  assert:add_formatter(endless)
  assert.equal(1, 2)
end)
it('matcher', function()
  assert:register('matcher', 'endless', function() return endless end)
  local s = spy.new(function() end)
  s(1)
  assert.spy(s).was.called_with(match.endless())
end)
it('assertion', function()
  assert:register('assertion', 'endless', endless)
  assert.endless()
end)
it('text', function()
  local say = require 'say'
  say:set('assertion.attack', setmetatable({}, { __tostring = endless }))
  assert:register('assertion', 'attack', function() return false end, 'assertion.attack')
  assert.attack(1)
end)
