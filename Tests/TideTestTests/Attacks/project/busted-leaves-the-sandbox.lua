-- The configuration says that there is no sandbox.
-- file: .busted
-- expect: running "touch ../outside/made" is not allowed
return { default = { sandbox = false, e = { 'os.execute "touch ../outside/made"' } } }
