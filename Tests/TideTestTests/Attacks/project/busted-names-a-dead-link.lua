-- What is not there behind a link is refused just the same.
-- file: .busted
-- expect: .busted names dead.lua, which lies outside of the project
return { default = { helper = 'dead.lua' } }
