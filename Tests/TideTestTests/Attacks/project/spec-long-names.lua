-- A spec has the runner keep names and messages that are no longer in the interpreter's memory.
-- file: spec/attack_spec.lua
-- expect: in the sandbox a name has at most 64 KiB
local long = ('x'):rep(32 << 20)
it('fails at length', function() error(long, 0) end)
for number = 1, 1000 do it(long .. number, function() end) end
