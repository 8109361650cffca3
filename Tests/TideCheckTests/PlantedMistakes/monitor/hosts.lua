-- The machines that are watched.

local Host = class "Host" {
  name = "", address = "", port = 80, tags = list {},
  status = property { type = "string", default = "unknown", description = "what was found last" },
  latency = property { type = "number", nullable = true },
  failures = 0,
  isUp = computed(function(self) return self.status == "up" end),
  note = function(self, latency)
    self.latency, self.status = latency, latency and "up" or "down"
    self.failures = latency and 0 or self.failures + 1
  end,
}

local network = model "network" {
  hosts = list {
    Host { name = "gate", address = "10.0.0.1", tags = list { "edge" } },
    Host { name = "mail", address = "10.0.0.25", port = 25 },
    Host { name = "files", address = "10.0.0.40", port = 445 },
  },
  events = list { { at = 0.0, host = "gate", text = "began", level = "info" } },
  interval = 30,
  owner = { name = "Ops", mail = "ops@example.org" },
}


local M = { Host = Host, network = network }

function M.find(name)
  for _, host in ipairs(network.hosts) do
    if host.name == name then return host end
  end
  return nil
end

function M.tell(host, text, level)
  network.events:append(object { at = now(), host = host.name, text = text, level = level or "info" })
end

function M.down()
  return network.hosts:filter(function(host) return host.status == "down" end)
end

function M.worst()
  return network.hosts:sorted("-failures")[1]
end

function M.newHost(name, address)
  local host = Host { name = name, address = address }
  network.hosts:append(host)
  return host
end

return M
