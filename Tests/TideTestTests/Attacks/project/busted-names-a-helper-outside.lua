-- The configuration names a helper that is none of the project's.
-- file: .busted
-- expect: .busted names ../outside/secret.lua, which lies outside of the project
return { default = { helper = '../outside/secret.lua' } }
