-- Lines to look at where there is neither a file nor standard input: a server on a quiet day.

local requests = {
  "INFO  GET /tides/today 200", "DEBUG cache hit for today", "INFO  GET /moon.png 304",
  "INFO  POST /reports 201", "WARN  POST /reports took 1204 ms", "INFO  GET /tides/week 200",
  "DEBUG 12 connections are open", "ERROR GET /tides/1066 500: no such year",
  "INFO  GET / 200", "INFO  GET /harbours?near=Kiel 200",
}

local function line(number)
  local seconds = 8 * 3600 + number // 3
  local time = ("%02d:%02d:%02d"):format(seconds // 3600, seconds // 60 % 60, seconds % 60)
  return time .. " " .. requests[number * 7 % 10 + 1]
end

return function(limit)
  return stream(function(push)
    for number = 1, 60 do push(line(number)) end
    for number = 61, math.huge do
      -- Some seconds are busier than others.
      sleep(0.4 + 0.3 * math.sin(number / 9))
      push(line(number))
    end
  end, { name = "lines", limit = limit })
end
