-- What was done, to be undone and done again. A step has a title and two functions.

local history = model "history" {
  -- How many steps can be undone, and redone; titles of the next ones.
  undos = 0, redos = 0, undoTitle = "", redoTitle = "",
}

local done, undone = {}, {}

local function tell()
  history.undos, history.redos = #done, #undone
  history.undoTitle = #done > 0 and done[#done].title or ""
  history.redoTitle = #undone > 0 and undone[#undone].title or ""
end

local steps = {}

--- Does something that can be undone.
function steps.perform(title, forward, backward)
  forward()
  done[#done + 1] = { title = title, forward = forward, backward = backward }
  undone = {}
  tell()
end

local function step(from, to, direction)
  local last = table.remove(from)
  if not last then return end
  last[direction]()
  to[#to + 1] = last
  tell()
end

function steps.undo() step(done, undone, "backward") end
function steps.redo() step(undone, done, "forward") end

-- A reload begins anew: what is kept of a step are functions of the version that made it.
tell()

return steps
