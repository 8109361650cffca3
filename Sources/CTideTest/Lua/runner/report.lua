-- Loads an output handler that is written in Lua, for the state in which it runs.

local host, settings, name, options = ...
local own = {}

local function load_own(module)
  if own[module] == nil then own[module] = host.chunk(module)(module) end
  return own[module]
end

package.path = settings.path .. package.path
package.cpath = settings.cpath .. package.cpath
for _, module in ipairs(settings.modules) do
  package.preload[module] = load_own
end
own['tidelock.test.words'] = {
  words = {},
  lazy = {},
  gettime = host.gettime,
  monotime = host.monotime,
  fail = error,
}
host.chunk('tidelock.test.output')(host.write)
function print(...)
  local parts = table.pack(...)
  for index = 1, parts.n do
    parts[index] = tostring(parts[index])
  end
  host.write(table.concat(parts, '\t', 1, parts.n) .. '\n')
end

local function found()
  if name:find('%.lua$') then return dofile(name) end
  local isGood, handler = pcall(require, 'busted.outputHandlers.' .. name)
  if isGood then return handler end
  if not tostring(handler):find("module '.-' not found:") then error(handler, 0) end
  return require(name)
end

local make = found()
-- Texts of reports: English ones are there before a handler asks.
pcall(require, 'busted.languages.' .. options.language)
make(options):subscribe(options)
return require 'tidelock.test.bridge'
