-- What was done, to be undone and done again. A step has a title and two functions. A reload begins
-- anew, since the functions are those of the version that made them.

local history = {}

local done, undone = {}, {}

--- Does something that can be undone.
function history.perform(title, forward, backward)
  forward()
  done[#done + 1] = { title = title, forward = forward, backward = backward }
  undone = {}
end

local function step(from, to, direction)
  local last = table.remove(from)
  if not last then return nil end
  last[direction]()
  to[#to + 1] = last
  return last.title
end

--- Takes the last step back; gives its title, or nil where there is none.
function history.undo() return step(done, undone, "backward") end

--- Does again what was taken back last.
function history.redo() return step(undone, done, "forward") end

return history
