-- The project's report takes all the memory there is.
-- file: src/report.lua
-- arguments: -o report
-- expect: the output handler failed: not enough memory
return function()
  local handler = require 'busted.outputHandlers.base'()
  require 'busted'.subscribe({ 'test', 'end' }, function()
    handler.kept = {}
    for number = 1, math.huge do handler.kept[number] = ('x'):rep(1 << 20) .. number end
  end)
  return handler
end
