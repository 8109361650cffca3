-- It says expose, too, and so sees what the file before it exposed.

it('sees what was exposed', function()
  print(exposed, _G.exposedGlobal, (package.loaded.exposed_module or {})[1])
end)

it('sees nothing else', function() print(notExposed, _G.realButInsulated) end)

expose('another block', function()
  it('exposes', function() print(exposed) end)
end)
