-- The project's report never ends once it hears of a test.
-- file: src/report.lua
-- arguments: -o report --timeout 1
-- expect: the output handler failed: ./src/report.lua:8: the turn took too long
return function()
  local handler = require 'busted.outputHandlers.base'()
  handler.testEnd = function()
    while true do pcall(error) end
  end
  require 'busted'.subscribe({ 'test', 'end' }, handler.testEnd)
  return handler
end
