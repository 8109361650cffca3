-- What is heard; only the log in this one.

local sounds = { volume = 5, names = { "bell", "gong" } }

local function play(name) log.info("plays " .. name, { volume = sounds.volume }) end

function sounds.bell() play(sounds.names[1]) end
function sounds.gong() play(sounds.names[2]) end

return sounds
