-- A spec prints more than can be kept until its turn to be shown comes.
-- file: spec/attack_spec.lua
-- arguments: -o json
-- expect: (the rest is left out: a sandboxed file prints at most 16 MiB)
it('prints', function()
  local line = ('x'):rep(1 << 20)
  for _ = 1, 200 do print(line) end
end)
