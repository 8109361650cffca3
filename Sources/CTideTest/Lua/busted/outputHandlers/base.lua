-- The base of output handlers: up-to-date lists and counts of test results, and functions that
-- describe a result.
--
--   return function(options)
--     local handler = require 'busted.outputHandlers.base'()
--     handler.suiteEnd = function() print(handler.successesCount) return nil, true end
--     require 'busted'.subscribe({ 'suite', 'end' }, handler.suiteEnd)
--     return handler
--   end

local function empty_lists(handler)
  handler.inProgress = {}
  for _, name in ipairs { 'successes', 'pendings', 'failures', 'errors' } do
    handler[name] = {}
    handler[name .. 'Count'] = 0
  end
end

local function add(handler, list, entry)
  table.insert(handler[list], entry)
end

local function count(handler, list)
  handler[list .. 'Count'] = handler[list .. 'Count'] + 1
end

return function()
  local busted = require 'busted'
  local handler = {}
  empty_lists(handler)

  function handler.cancelOnPending(element, _, status)
    local isPending = element.descriptor == 'pending' or status == 'pending'
    return not (isPending and handler.options.suppressPending)
  end

  function handler.getFullName(context)
    local names = { context.name or context.descriptor }
    local parent = busted.parent(context)
    while parent and (parent.name or parent.descriptor) and parent.descriptor ~= 'file' do
      table.insert(names, 1, parent.name or parent.descriptor)
      parent = busted.parent(parent)
    end
    return table.concat(names, ' ')
  end

  function handler.format(element, parent, message, trace, isError)
    local copy = {}
    for key, value in next, element do
      if type(value) ~= 'function' and key ~= 'env' then copy[key] = value end
    end
    copy.trace = element.trace or trace
    return {
      element = copy,
      name = handler.getFullName(element),
      message = message,
      trace = trace or element.trace,
      randomseed = parent and parent.randomseed,
      isError = isError,
    }
  end

  function handler.getDuration()
    if not (handler.startTick and handler.endTick) then return 0 end
    return handler.endTick - handler.startTick
  end

  function handler.baseSuiteReset()
    empty_lists(handler)
    return nil, true
  end

  function handler.baseSuiteStart(suite)
    handler.startTick, handler.startTime = suite.starttick, suite.starttime
    return nil, true
  end

  function handler.baseSuiteEnd(suite)
    handler.endTick, handler.endTime = suite.endtick, suite.endtime
    return nil, true
  end

  function handler.baseTestStart(element)
    handler.inProgress[tostring(element)] = {}
    return nil, true
  end

  local lists = { success = 'successes', pending = 'pendings' }
  function handler.baseTestEnd(element, parent, status, trace)
    local id = tostring(element)
    if status == 'failure' then count(handler, 'failures') end
    local list = lists[status]
    if list then
      count(handler, list)
      local entry = handler.format(element, parent, element.message, trace)
      for key, value in pairs(handler.inProgress[id] or {}) do
        entry[key] = value
      end
      add(handler, list, entry)
    end
    handler.inProgress[id] = nil
    return nil, true
  end

  function handler.basePending(element, _, message, trace)
    local progress = handler.inProgress[tostring(element)]
    if progress then progress.message, progress.trace = message, trace end
    return nil, true
  end

  function handler.baseTestFailure(element, parent, message, trace)
    add(handler, 'failures', handler.format(element, parent, message, trace))
    return nil, true
  end

  function handler.baseTestError(element, parent, message, trace)
    count(handler, 'errors')
    add(handler, 'errors', handler.format(element, parent, message, trace, true))
    return nil, true
  end

  function handler.baseError(element, parent, message, trace)
    if element.descriptor ~= 'it' then
      return handler.baseTestError(element, parent, message, trace)
    end
    return nil, true
  end

  function handler.subscribe(self, options)
    self.options = options
    local first = { priority = 1 }
    local shown = { priority = 1, predicate = self.cancelOnPending }
    for _, entry in ipairs {
      { { 'suite', 'reset' }, 'baseSuiteReset', first },
      { { 'suite', 'start' }, 'baseSuiteStart', first },
      { { 'suite', 'end' }, 'baseSuiteEnd', first },
      { { 'test', 'start' }, 'baseTestStart', shown },
      { { 'test', 'end' }, 'baseTestEnd', shown },
      { { 'pending' }, 'basePending', shown },
      { { 'failure', 'it' }, 'baseTestFailure', first },
      { { 'error', 'it' }, 'baseTestError', first },
      { { 'failure' }, 'baseError', first },
      { { 'error' }, 'baseError', first },
    } do
      busted.subscribe(entry[1], function(...) return self[entry[2]](...) end, entry[3])
    end
  end

  return handler
end
