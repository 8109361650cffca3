-- The configuration has a file read that is none of the project's.
-- file: .busted
-- expect: .busted names ../outside/secret.lua, which lies outside of the project
return { default = { ['coverage-config-file'] = '../outside/secret.lua' } }
