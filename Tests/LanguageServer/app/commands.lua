local commands = {}

-- Makes the fruit ripe.
function commands.ripen()
  models.fruit.name = "ripe " .. models.fruit.name
end

return commands
