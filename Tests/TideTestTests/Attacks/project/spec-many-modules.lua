-- A spec asks for modules without end, whose names are kept to be watched.
-- file: spec/attack_spec.lua
-- expect: 2 successes
it('asks', function()
  for number = 1, 20000 do pcall(require, 'module' .. number) end
  local isGood, why = pcall(require, ('x'):rep(32 << 20))
  assert.is_false(isGood)
  assert.matches("a module's name may have 65536 bytes", tostring(why), 1, true)
end)
