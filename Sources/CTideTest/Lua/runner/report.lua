-- Loads an output handler written in Lua, in the handler's own state.

-- `preload` is passed in the sandbox, which lacks the library `package`.

local host, settings, name, options, preload = ...
local own = {}

-- The globals of the runner's own modules. Only these modules can load other ones of the runner.
local inner = setmetatable({}, { __index = _G })

local function load_own(module)
  if own[module] == nil then own[module] = host.chunk(module, inner)(module) end
  return own[module]
end

function inner.require(module)
  if module:find '^tidelock%.test%.' then return load_own(module) end
  return require(module)
end

local isSandboxed = preload ~= nil
if not isSandboxed then
  package.path = settings.path .. package.path
  package.cpath = settings.cpath .. package.cpath
  preload = package.preload
end
for _, module in ipairs(settings.modules) do
  preload[module] = load_own
end
own['tidelock.test.words'] = {
  words = {},
  lazy = {},
  gettime = host.gettime,
  monotime = host.monotime,
  fail = error,
}
if not isSandboxed then host.chunk('tidelock.test.output', _G)(host.write) end
function print(...)
  local parts = table.pack(...)
  for index = 1, parts.n do
    parts[index] = tostring(parts[index])
  end
  host.write(table.concat(parts, '\t', 1, parts.n) .. '\n')
end

-- Handlers extend the usual reports, or write two of them at once: `require
-- 'busted.outputHandlers.junit'(options)`. The usual reports are not written in Lua. They receive
-- each event before Lua subscribers, so the functions of the returned handler have nothing left to
-- do.
local function usual_report(kind)
  return function(given)
    given = given or {}
    host.report(kind, given.verbose == true, given.suppressPending == true, given.deferPrint == true,
      table.unpack(given.arguments or {}))
    local handler = require 'busted.outputHandlers.base'()
    for _, event in ipairs {
      'suiteReset', 'suiteStart', 'suiteEnd', 'fileStart', 'fileEnd', 'testStart', 'testEnd',
      'testFailure', 'testError', 'failureTest', 'errorTest', 'failure', 'error', 'pending', 'exit',
    } do
      handler[event] = function() return nil, true end
    end
    return handler
  end
end
for _, kind in ipairs { 'utfTerminal', 'plainTerminal', 'TAP', 'json', 'junit', 'gtest' } do
  preload['busted.outputHandlers.' .. kind] = function() return usual_report(kind) end
end

local function found()
  if name:find('%.lua$') then return (dofile or host.open)(name) end
  local isGood, handler = pcall(require, 'busted.outputHandlers.' .. name)
  if isGood then return handler end
  if not tostring(handler):find("module '.-' not found:") then error(handler, 0) end
  return require(name)
end

local make = found()
-- Loads the texts of reports before a handler needs them.
pcall(require, 'busted.languages.' .. options.language)
local callable = type(make) == 'function' or (getmetatable(make) or {}).__call
if not callable then error('it gives no function that makes a handler, but a ' .. type(make), 0) end
local handler = make(options)
if type(handler) ~= 'table' then
  error('its function gives no handler, but a ' .. type(handler), 0)
end
handler:subscribe(options)
return load_own 'tidelock.test.bridge'
