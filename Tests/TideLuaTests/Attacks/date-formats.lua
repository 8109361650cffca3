-- Long formats of dates, for ever.
-- expect: time
for i = 0, 255 do
  pcall(os.date, "%" .. string.char(i))
  pcall(os.date, "%E" .. string.char(i))
  pcall(os.date, "%O" .. string.char(i))
  pcall(os.date, "!%" .. string.char(i))
end
assert(not pcall(os.date, ("%c"):rep(100000)))
while true do os.date(("%c"):rep(1000)) os.date("*t") os.time() end
