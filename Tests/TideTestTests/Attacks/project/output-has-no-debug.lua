-- The project's report reaches for what takes a sandbox apart, in its file and later.
-- file: src/report.lua
-- arguments: -o report
-- expect: nothing found
local function look()
  assert(debug == nil and package == nil and dofile == nil and loadfile == nil)
  assert(not pcall(require, 'debug') and not pcall(require, 'package'))
  assert(not pcall(require, 'tidelock.test.words') and not pcall(require, 'tidelock.test.confined'))
end
look()
return function()
  local handler = require 'busted.outputHandlers.base'()
  require 'busted'.subscribe({ 'suite', 'end' }, function()
    look()
    io.write('nothing ', 'found\n')
  end)
  return handler
end
