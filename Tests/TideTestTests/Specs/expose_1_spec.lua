-- What this file exposes is seen in the next one.

expose('an exposing block', function()
  exposed = 'seen by files that follow'
  _G.exposedGlobal = 'in _G'
  package.loaded.exposed_module = { 'loaded' }
  it('has tests', function() print(exposed, _G.exposedGlobal) end)
end)

notExposed = 'a global of this file'
_G.realButInsulated = 'gone with the file'

it('sees what it exposed', function()
  print(exposed, _G.exposedGlobal, package.loaded.exposed_module[1])
end)
