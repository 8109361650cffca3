-- A large array is emptied, and shrinks while a key is put in, again and again.
-- expect: time or memory or given up
while true do
  local t = {}
  for i = 1, 1 << 18 do t[i] = i end
  for i = 1, 1 << 18 do t[i] = nil end
  for i = 1, 8 do t["k" .. i] = i end
end
