-- The configuration has other files run as specs.
-- file: .busted
-- expect: .busted names ../outside, which lies outside of the project
return { default = { ROOT = { '../outside' } } }
