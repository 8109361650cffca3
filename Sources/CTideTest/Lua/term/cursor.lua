-- Moves, saves and restores the cursor.

local cursor = {}

local function moving(letter)
  return function(by)
    return io.stdout:write(("\27[%d%s"):format(by or 1, letter))
  end
end

cursor.goup = moving "A"
cursor.godown = moving "B"
cursor.goright = moving "C"
cursor.goleft = moving "D"

local function to(row, column)
  return io.stdout:write(("\27[%d;%dH"):format(row, column))
end

cursor["goto"] = to
cursor.jump = to

function cursor.save()
  return io.stdout:write "\27[s"
end

function cursor.restore()
  return io.stdout:write "\27[u"
end

return cursor
