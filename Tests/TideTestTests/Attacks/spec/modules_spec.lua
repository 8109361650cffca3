-- The runner's own modules are none for specs.

local own = {
  'words', 'world', 'bindings', 'snapshots', 'laws', 'lawful', 'generators', 'choices', 'clock', 'ui',
  'events', 'bridge', 'reasons', 'helper', 'insulation', 'order', 'output', 'report', 'diff', 'pretty',
}

describe('what is the runner\'s own', function()
  for _, name in ipairs(own) do
    it('is not required: ' .. name, function()
      assert.has_error(function() require('tidelock.test.' .. name) end)
    end)
  end

  it('is not required once a word has loaded it', function()
    local property = assert.property(object { a = 1 }, 'a')
    property.is(1)
    assert.settles(function() end)
    assert.has_error(function() require 'tidelock.test.bindings' end)
  end)

  it('is not loaded for a word of a spec\'s', function()
    local namespaces = require 'luassert.namespaces'
    assert.is_nil(namespaces.add_homes)
    assert.is_false(pcall(function() return assert.words end) and pcall(assert.words, 1))
  end)

  it('is not in what is loaded', function()
    assert.is_nil(package)
    assert.is_nil(debug)
  end)
end)
