-- What rings, and who is told.

local hosts = require "hosts"

local alarms = model "alarms" { isMuted = false, limit = 3, rung = 0, last = property {} }

local function ring(host)
  if alarms.isMuted then return end
  batch(function()
    alarms.rung = alarms.rung + 1
    alarms.last = host
    hosts.tell(host, "is down", "alarm")
  end)
end

local function check()
  for _, host in ipairs(hosts.network.hosts) do
    if host.failures >= alarms.limit then ring(host) end
  end
end

local watch = hosts.network.events:observe(function(changes)
  for _, change in ipairs(changes) do log.debug(change.kind, { rows = #change.indexes }) end
end, { batch = true, insertion = true })

return { alarms = alarms, ring = ring, check = check, stop = function() watch:cancel() end,
  levels = { info = "muted", error = "error", alarm = "warning" } }
