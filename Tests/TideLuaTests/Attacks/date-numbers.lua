-- Times far beyond the calendar.
-- expect: fine
for _, t in ipairs { math.maxinteger, math.mininteger, 1 << 56, -(1 << 56), 1e300, -1e300, 0 / 0, 1 / 0 } do
  pcall(os.date, "%c", t)
  pcall(os.date, "*t", t)
  pcall(os.time, { year = t, month = 1, day = 1 })
  pcall(os.time, { year = 2000, month = t, day = t, hour = t, min = t, sec = t })
  pcall(os.difftime, t, -t)
end
pcall(os.time, setmetatable({}, { __index = function() return 1 end }))
