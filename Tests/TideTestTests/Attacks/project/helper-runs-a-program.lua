-- A helper that runs a program.
-- file: helper.lua
-- arguments: --helper helper.lua
-- expect: running "touch ../outside/made" is not allowed
return function() os.execute 'touch ../outside/made' end
