-- Events for specs, helpers and output handlers. A channel is a list of names. An event is sent
-- first to the subscribers of the full list, then to those of its prefixes.

local events = {}
local root = { subscribers = {}, below = {} }
local number = 0

local function channel_of(names, makes)
  local path = { root }
  for _, name in ipairs(names) do
    local last = path[#path]
    local next_one = last.below[name]
    if not next_one then
      if not makes then break end
      next_one = { subscribers = {}, below = {} }
      last.below[name] = next_one
    end
    path[#path + 1] = next_one
  end
  return path
end

local onFirst = function() end
function events.on_first(fn) onFirst = fn end

function events.subscribe(names, fn, options)
  local path = channel_of(names, true)
  local subscribers = path[#path].subscribers
  number = number + 1
  options = options or {}
  local subscriber = { id = number, fn = fn, options = options, channel = names }
  local index = #subscribers + 1
  local wanted = options.priority
  if type(wanted) == 'number' and wanted >= 1 and wanted < index then index = wanted end
  table.insert(subscribers, index, subscriber)
  onFirst()
  return subscriber
end

function events.unsubscribe(subscriber, names)
  local id = type(subscriber) == 'table' and subscriber.id or subscriber
  names = names or (type(subscriber) == 'table' and subscriber.channel)
  if not names then return end
  local path = channel_of(names)
  local subscribers = path[#path].subscribers
  for index, other in ipairs(subscribers) do
    if other.id == id then return table.remove(subscribers, index) end
  end
end

function events.publish(names, ...)
  local path = channel_of(names)
  local results = {}
  for index = #path, 1, -1 do
    -- A subscriber may unsubscribe itself or others.
    for _, subscriber in ipairs { table.unpack(path[index].subscribers) } do
      local predicate = subscriber.options.predicate
      if not predicate or predicate(...) then
        local result, goesOn = subscriber.fn(...)
        if result ~= nil then results[#results + 1] = result end
        if goesOn == false then return false, results end
      end
    end
  end
  return true, results
end

return events
