-- The configuration names a helper that is a link out of the project.
-- file: .busted
-- expect: .busted names linked.lua, which lies outside of the project
return { default = { helper = 'linked.lua' } }
