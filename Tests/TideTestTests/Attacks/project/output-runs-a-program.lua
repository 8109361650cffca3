-- The project's report runs a program.
-- file: src/report.lua
-- arguments: -o report
-- expect: running "touch ../outside/made" is not allowed
return function() io.popen 'touch ../outside/made' end
