--- task: a task
function enter() spawn(step) end

--- task-resumed: a task that has waited
function enter() spawn(function() sleep(0) step() end) end

--- task-awaited: a task that another one awaits
function enter() spawn(function() await(spawn(step)) end) end

--- task-coroutine: a coroutine of a task
function enter() spawn(function() coroutine.wrap(function() step() end)() end) end

--- task-closed: a variable to be closed of a task that is cancelled
function enter()
  local task = spawn(function()
    local closing <close> = setmetatable({}, { __close = function() step() end })
    sleep(1000)
  end)
  task:cancel()
end

--- timer: a timer
every(0.002, step)

--- timer-once: a timer that runs once
function enter() after(0, step) end

--- timer-pcall: a call within pcall in a timer
every(0.002, function() local ok, message = pcall(step) if not ok then error(message, 0) end end)

--- handler: the handler of an error
function enter()
  local _, fault = xpcall(error, function(message) step() return message end, "x", 0)
  if fault ~= "x" then error(fault, 0) end
end

--- closer: a variable that is closed by an error
function enter()
  local _, fault = pcall(function()
    local closing <close> = setmetatable({}, { __close = function() step() end })
    error("x", 0)
  end)
  if fault ~= "x" then error(fault, 0) end
end

--- sort-comparison: the comparison of table.sort
function enter() table.sort({ 2, 1 }, function(a, b) step() return a < b end) end

--- replacement: the replacement of string.gsub
function enter() string.gsub("x", "x", function() step() end) end

--- metamethod: a metamethod
function enter() local x = setmetatable({}, { __index = function() step() end }).x end

--- metamethod-tostring: __tostring, called by print
function enter() print(setmetatable({}, { __tostring = function() step() return "text" end })) end

--- chunk-reader: the function that gives load its text
function enter() assert(load(function() step() end)) end

--- method: a method of an object
o = object { act = function(self) step() end }
function enter() o:act() end

--- initialiser: the init of a class
Class = class "DoorClass" { n = 0, init = function(self) step() end }
function enter() Class {} end

--- batch: a batch
function enter() batch(step) end

--- untracked: what reads without depending
function enter() untracked(step) end

--- context: a function that a context is open for
count = 0
function enter()
  count = count + 1
  context("door" .. count, step)
end

--- resource: the function of a resource
r = resource(function() step() end)
function enter() r:refresh() end

--- resource-resumed: the function of a resource that has waited
r = resource(function() sleep(0) step() end)
function enter() r:refresh() end

--- resource-condition: the condition of a resource
o = object { n = 0 }
r = resource(function() end, { when = function() local n = o.n step() return n >= 0 end })
function enter() o.n = o.n + 1 end

--- resource-dependency: the function of a resource that runs again because of what it read
o = object { n = 0 }
r = resource(function() local _ = o.n step() end)
function enter() o.n = o.n + 1 end

--- stream: the function of a stream
s = stream(function(push) push(1) step() end)
function enter() s:refresh() end

--- stream-observer: an observer of what is pushed into a stream
local push
s = stream(function(to) push = to sleep(1000) end, { limit = 2 })
s:observe(step)
function enter() push(1) end


--- ask-answered: tasks that go on with a person's answer
-- keys: Enter
show(view.label { text = "below" })
for i = 1, 6 do spawn(function() if ask { text = "Enter?" } then step() end end) end

--- ask-closed: a variable to be closed of a task that asks, when its context is cleared
function enter()
  context("door", function()
    spawn(function()
      local closing <close> = setmetatable({}, { __close = function() step() end })
      ask { text = "Enter?" }
    end)
  end)
  context.clear "door"
end

--- undo-group: the function of undo.group
o = object { n = 0 }
history = undo.manager { o }
function enter() undo.group("door", function() o.n = o.n + 1 step() end) end

--- undo-observer: an observer of what is taken back
o = object { n = 0 }
history = undo.manager { o }
observe(o, "n", function(new, old) if new < old then step() end end)
function enter()
  undo.group("door", function() o.n = o.n + 1 end)
  history:undo()
end
