-- The project's report loads what is not the project's, by link and by name.
-- file: src/report.lua
-- arguments: -o report
-- expect: neither
for _, name in ipairs { 'linked', 'dead', '..outside.secret', '../outside/secret', 'folder.secret' } do
  local isGood, why = pcall(require, name)
  why = tostring(why)
  assert(not isGood and why:find 'not found' or why:find 'invalid module name', why)
end
print 'neither'
return require 'busted.outputHandlers.TAP'
