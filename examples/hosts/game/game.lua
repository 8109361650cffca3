-- What ten thousand drones do in each frame, and a mod of somebody else's.

local drones = {}
local done = 0

function adopt(all)
  drones = all
end

-- Moves each drone once. A call that has used up its time goes on here in the next frame.
function update(seconds)
  while done < #drones do
    local drone = drones[done + 1]
    local x = drone.x + drone.speed * seconds
    if x < 0 or x > 100 then
      drone.speed = -drone.speed
      x = x < 0 and -x or 200 - x
    end
    drone.x = x
    done = done + 1
  end
  done = 0
end

function mod(frame)
  while frame >= 60 do end
end
