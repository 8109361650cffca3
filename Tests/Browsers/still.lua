-- An example in a world in which time soon stops, so that its picture is the same every day: what is
-- repeated is done once; a task sleeps some times, not at all, and then for ever.

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

-- Standard input is as good as a keyboard here, from which no lines come.
stdin = { lines = error }

return require "example"
