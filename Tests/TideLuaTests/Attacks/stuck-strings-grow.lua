-- The table of strings grows and shrinks, again and again.
-- expect: time or memory or given up
while true do
  local keep = {}
  for i = 1, 100000 do keep[i] = "s" .. i end
  keep = nil
  for i = 1, 100 do collectgarbage() end
end
