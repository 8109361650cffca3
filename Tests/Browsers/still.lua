-- Runs an example with the clock stopped, so that its picture is the same every day. What repeats runs
-- once, and a task sleeps for no time, except that its thirteenth sleep never ends.

local wait, fetch = sleep, resource
local sleeps = setmetatable({}, { __mode = "k" })

now = function() return 1773999000 end -- in March of 2026
every = function() end

sleep = function()
  local task = coroutine.running()
  sleeps[task] = (sleeps[task] or 0) + 1
  wait(sleeps[task] > 12 and 1e6 or 0)
end

resource = function(read, options)
  options.every = nil
  return fetch(read, options)
end

-- As at a keyboard, no lines come from standard input.
stdin = { lines = error }

return require "example"
