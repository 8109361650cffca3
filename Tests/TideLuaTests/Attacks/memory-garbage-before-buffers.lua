-- Buffers of the library find room that is only taken by garbage.
-- expect: fine
for i = 1, 20 do
  local t = {}
  for j = 1, 9 do t[j] = ("x"):rep(3 << 20) end
  t = nil
  assert(#("y"):rep(6 << 20) == 6 << 20)
  assert(#("y"):rep(6 << 20):upper() == 6 << 20)
end
