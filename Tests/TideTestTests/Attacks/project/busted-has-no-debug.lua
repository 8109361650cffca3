-- The project's configuration reaches for what takes a sandbox apart.
-- file: .busted
-- expect: 1 success
for _, name in ipairs { 'debug', 'package', 'dofile', 'loadfile', 'require' } do
  assert(_G[name] == nil, name)
end
assert(os.exit == nil and string.dump == nil)
assert(not load(('').char(27) .. 'Lua'))
return {}
