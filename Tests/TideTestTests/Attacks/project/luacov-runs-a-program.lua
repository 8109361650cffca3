-- The configuration of coverage runs a program.
-- file: .luacov
-- arguments: --coverage
-- expect: .luacov cannot be run: .luacov:5: running "touch ../outside/made" is not allowed
os.execute 'touch ../outside/made'
