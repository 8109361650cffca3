-- How hosts are asked, and what they answer.

local hosts = require "hosts"

local probes = { timeout = 5, retries = { times = 3, delay = 0.5 } }

function probes.http(host)
  local response = http.get("http://" .. host.address, { timeout = probes.timeout,
    headers = { accept = "text/plain" }, redirects = 2 })
  host:note(response.status < 400 and 0.1 or nil)
  return response.status
end

function probes.weather(city)
  return resource(function()
    local response = http.get("https://weather.example/" .. city, { timeout = 3 })
    return response.json
  end, { name = "weather", every = 600, retry = probes.retries, initial = { degrees = 0 } })
end

function probes.ping(host)
  local result = process.run("ping", { "-c", "1", host.address }, { timeout = probes.timeout })
  if result.code ~= 0 then
    hosts.tell(host, result.error, "error")
    return false
  end
  host:note(tonumber(result.output:match "time=([%d.]+)"))
  return true
end

function probes.lines(path)
  return file.tail(path, { name = "messages", lines = 20, limit = 500 })
end

function probes.size(path)
  local info = file.info(path)
  return info.kind == "file" and info.size or 0
end

function probes.export(path)
  local rows = {}
  for index, host in ipairs(hosts.network.hosts) do
    rows[index] = { name = host.name, address = host.address, port = host.port }
  end
  file.write(path, json.encode(rows, { indent = 2, sort = true }))
end

function probes.ticks()
  return stream(function(push)
    while push(now()) do sleep(1) end
  end, { name = "ticks", limit = 60 })
end

return probes
