-- The project's configuration runs a program.
-- file: .busted
-- expect: .busted:4: running "touch ../outside/made" is not allowed
os.execute 'touch ../outside/made'
return {}
