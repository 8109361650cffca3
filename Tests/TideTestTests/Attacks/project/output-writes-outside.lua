-- The project's report has one of the usual reports write over a file of the person's.
-- file: src/report.lua
-- arguments: -o report
-- expect: the output handler names ../outside/made, which lies outside of the project
return function(options)
  options.arguments = { '../outside/made' }
  return require 'busted.outputHandlers.junit'(options)
end
