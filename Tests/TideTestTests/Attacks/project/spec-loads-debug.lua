-- A spec loads the libraries that it is not to have, by every name.
-- file: spec/attack_spec.lua
-- expect: 2 successes
it('has none', function()
  for _, name in ipairs { 'debug', 'package', 'io.debug', '_G.debug' } do
    local isGood, why = pcall(require, name)
    assert.is_false(isGood)
    assert.matches('there is no module', tostring(why))
  end
  assert.is_nil(debug)
  assert.is_nil(require('_G').debug)
  assert.is_nil(require('_G').package)
  assert.is_nil(tidelock.debug)
end)
