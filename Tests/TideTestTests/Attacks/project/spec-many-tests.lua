-- A spec declares tests without end.
-- file: spec/attack_spec.lua
-- expect: a sandboxed file declares at most 100000 blocks, hooks and tests
while true do it('x', print) end
