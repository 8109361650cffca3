-- The module `busted`, for specs, helpers and output handlers that were written for busted.

local words = require 'tidelock.test.words'
local events = require 'tidelock.test.events'
local bridge = require 'tidelock.test.bridge'

-- Without subscribers, events cost nothing.
events.on_first(function()
  if words.subscribed then words.subscribed(bridge) end
end)

local api = {
  version = '2.1.1',
  publish = events.publish,
  subscribe = events.subscribe,
  unsubscribe = events.unsubscribe,
  parent = bridge.parent,
  children = bridge.children,
  fail = words.fail,
  gettime = words.gettime,
  monotime = words.monotime,
  sleep = words.sleep,
}

return setmetatable({}, {
  __index = function(_, key)
    local value = api[key]
    if value ~= nil then return value end
    value = words.words[key]
    if value ~= nil then return value end
    local make = words.lazy[key]
    return make and make()
  end,
  __newindex = function() error('Attempt to modify busted', 2) end,
  __call = function(self) return self end,
})
