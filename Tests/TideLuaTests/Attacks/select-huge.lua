-- Positions among many arguments.
-- expect: time
while true do
  select("#", table.unpack({}, 1, 200000))
  pcall(select, math.maxinteger, 1)
  pcall(select, math.mininteger, 1)
  select(-1, table.unpack({}, 1, 1000))
end
