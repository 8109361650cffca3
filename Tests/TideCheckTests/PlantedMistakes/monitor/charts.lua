-- Pictures of what was measured.

local hosts = require "hosts"

local charts = {}

charts.latency = view.chart { id = "latency", kind = "bar", grow = 1, minimum = 0,
  values = function()
    local values = {}
    for index, host in ipairs(hosts.network.hosts) do values[index] = host.latency or 0 end
    return values
  end,
  labels = function()
    local labels = {}
    for index, host in ipairs(hosts.network.hosts) do labels[index] = host.name end
    return labels
  end }

charts.share = view.progress { id = "share", minimum = 0, maximum = 1, value = function()
  return #hosts.network.hosts > 0 and 1 - #hosts.down() / #hosts.network.hosts or 0
end }

function charts.legend(title)
  return view.row { spacing = 1,
    view.label { style = "heading", text = title },
    view.label { style = "muted", text = function() return hosts.worst().name end },
  }
end

return charts
