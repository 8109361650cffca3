-- The time of the day, as a model that others bind to.

local clock = model "clock" { hours = 0, minutes = 0, isLate = false, beats = 0 }

local timer = every(1, function()
  batch(function()
    clock.hours = tonumber(os.date("!%H", math.floor(now())))
    clock.minutes = tonumber(os.date("!%M", math.floor(now())))
    clock.beats = clock.beats + 1
  end)
end)

local function stop() timer:cancel() end

hot.dispose(stop)

return { clock = clock, stop = stop, pad = function(n) return ("%02d"):format(n) end }
