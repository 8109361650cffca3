-- Days as "2026-03-14", which sort as texts.

local days = {}

--- Noon of a day, in seconds since the epoch; nil where the text is no day, as "2026-02-30".
function days.seconds(day)
  local year, month, number = day:match "^(%d%d%d%d)%-(%d%d)%-(%d%d)$"
  if not year then return nil end
  year, month, number = tonumber(year), tonumber(month), tonumber(number)
  -- Days since the epoch, counted in years that begin with March.
  if month <= 2 then year, month = year - 1, month + 12 end
  local count = 365 * year + year // 4 - year // 100 + year // 400
    + (153 * (month - 3) + 2) // 5 + number - 719469
  local seconds = count * 86400 + 43200
  return days.of(seconds) == day and seconds or nil
end

function days.of(seconds) return os.date("!%Y-%m-%d", math.floor(seconds)) end

-- Whoever asks for today follows it over midnight.
local present = model "present" { today = days.of(now()) }
every(30, function() present.today = days.of(now()) end)

function days.today() return present.today end

--- The day so many days after today.
function days.ahead(count) return days.of(days.seconds(present.today) + count * 86400) end

-- For the views: a day and the seconds that a date picker has, both ways.
transformer "noon" {
  transform = function(day) return day and days.seconds(day) end,
  reverse = function(seconds) return seconds and days.of(seconds) end,
}

return days
