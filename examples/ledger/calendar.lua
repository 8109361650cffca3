-- Days as "2026-03-14", and the months that they count for.

local calendar = {}

--- The day in full where it is one, else nil: "2026-3-4" is "2026-03-04", "2026-02-30" is no day.
function calendar.day(text)
  local year, month, day = text:match "^%s*(%d%d%d%d)%-(%d%d?)%-(%d%d?)%s*$"
  if not year then return nil end
  -- The library takes a 30th of February for the 2nd of March.
  local plain = ("%s-%02d-%02d"):format(year, month, day)
  local isDay = os.date("!%Y-%m-%d", calendar.seconds(plain)) == plain
  return isDay and plain or nil
end

--- Noon of the day, in seconds since the epoch.
function calendar.seconds(day)
  local year, month, number = day:match "(%d+)%-(%d+)%-(%d+)"
  year, month, number = tonumber(year), tonumber(month), tonumber(number)
  -- Days since the epoch, counted in years that begin with March.
  if month <= 2 then year, month = year - 1, month + 12 end
  local days = 365 * year + year // 4 - year // 100 + year // 400
    + (153 * (month - 3) + 2) // 5 + number - 719469
  return days * 86400 + 43200
end

function calendar.today() return os.date("!%Y-%m-%d", math.floor(now())) end

--- The month that a day counts for, as "2026-03". Where months start on the 25th, that of the 24th
--- of April is still March.
function calendar.month(day, start)
  local year, month, number = day:match "(%d+)%-(%d+)%-(%d+)"
  year, month, number = tonumber(year), tonumber(month), tonumber(number)
  if number < start then month = month - 1 end
  if month == 0 then year, month = year - 1, 12 end
  return ("%04d-%02d"):format(year, month)
end

return calendar
