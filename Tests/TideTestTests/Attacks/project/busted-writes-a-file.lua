-- The project's configuration writes beside the project.
-- file: .busted
-- expect: writing "../outside/made" is not allowed
io.open('../outside/made', 'w'):write 'x'
return {}
