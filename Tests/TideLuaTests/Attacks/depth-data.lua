-- Data nested a hundred thousand deep, dropped and collected.
-- expect: fine
for round = 1, 3 do
  local t = {}
  for i = 1, 100000 do t = { t, i } end
  t = nil
  collectgarbage()
end
