-- Days and weeks.

local dates = {}

dates.day, dates.week = 86400, 7 * 86400

function dates.from(days) return now() + days * dates.day end

function dates.short(seconds) return os.date("%d.%m.", math.floor(seconds)) end

--- How many whole days are left.
function dates.left(seconds) return math.floor((seconds - now()) / dates.day) end

transformer("due", {
  transform = function(seconds) return dates.short(seconds) end,
})

transformer("pages", { transform = function(n) return ("%d p."):format(n or 0) end,
  reverse = function(text) return tonumber(text:match "%d+") end })

return dates
