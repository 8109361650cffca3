-- A function's globals are nobody else's.

local compatibility = require 'busted.compatibility'
local refusal = 'needs the debug library, which a sandbox lacks'

for name, target in pairs {
  ['a module\'s function'] = require('say').set,
  ['an assertion'] = require('luassert.util').callable,
  ['a word'] = it,
  ['the caller'] = 1,
  ['a level further out'] = 4,
} do
  it('are not told of ' .. name, function()
    assert.error_matches(function() compatibility.getfenv(target) end, refusal, 1, true)
    assert.error_matches(function() compatibility.setfenv(target, {}) end, refusal, 1, true)
  end)
end

it('are not told of without a function', function()
  assert.error_matches(function() compatibility.getfenv() end, refusal, 1, true)
end)

it('no text is compiled with those of others', function()
  assert.is_nil(load('return debug')())
  assert.is_nil(compatibility.loadstring('return debug or package')())
end)

it('no metatable can finalize', function()
  local copy = require('luassert.util').deepcopy
  local metatable = {}
  local made = setmetatable({}, metatable)
  metatable.__gc = function() end
  assert.is_false(pcall(function()
    local copied = copy(made, true)
    assert(getmetatable(copied) == nil)
    error 'refused'
  end))
end)
