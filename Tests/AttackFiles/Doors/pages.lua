--- page-press: the handler of what a viewer presses
-- entered: page press
show(view.button { concurrent = true, title = "Press", on = { touchUpInside = step } })

--- page-typed: the handler of what a viewer types
-- entered: page edit
show(view.field { concurrent = true, on = { editingChanged = step } })

--- page-bound: an observer of what a viewer types
-- entered: page edit
written = model "written" { text = "" }
observe(written, "text", step)
show(view.field { bindTo = { text = "<> written.text" } })

--- page-key: the handler of a viewer's key
-- entered: page key
show(view.button { concurrent = true, title = "Press", keys = { F2 = step } })

--- page-select: the handler of what a viewer selects
-- entered: page select
rows = list { "one", "two" }
show(view.list { concurrent = true, items = rows, on = { didSelect = step } })

--- page-value: an observer of what a viewer slides
-- entered: page value
level = model "level" { value = 0 }
observe(level, "value", step)
show(view.slider { maximum = 10, bindTo = { value = "<> level.value" } })

--- page-menu: a command of a context menu that a viewer picks
-- entered: page menu
show(view.button { concurrent = true, title = "Press", contextMenu = { { title = "Step", command = step } } })

--- page-click: the handler of where a viewer clicks
-- entered: page click
show(view.button { concurrent = true, title = "Press", on = { click = step } })

--- session: the main script of a viewer's own app
-- entered: session main

--- session-press: the handler of what a viewer presses in an app of its own
-- entered: session press
show(view.button { concurrent = true, title = "Press", on = { touchUpInside = step } })

--- worker: the main script of a viewer's own app in a process of its own
-- entered: worker main

--- worker-press: the handler of what a viewer presses in an app that has a process of its own
-- entered: worker press
show(view.button { concurrent = true, title = "Press", on = { touchUpInside = step } })

--- worker-task: a task of an app that has a process of its own
-- entered: worker press
show(view.button { concurrent = true, title = "Press", on = { touchUpInside = function() spawn(step) end } })

--- shared: an observer of what others write
-- entered: sharing
room = shared("room", { n = 0 })
observe(room, "n", step)
function enter() room.n = room.n + 1 end

--- shared-effect: an effect that depends on what others write
-- entered: sharing
room = shared("room", { n = 0 })
effect(function() if room.n > 0 then step() end end)
function enter() room.n = room.n + 1 end

--- conflict: the handler of a conflict with what others write
-- entered: sharing
room = shared("room", { n = 0 })
on(room, "conflict", step)
local spawn, sleep = spawn, sleep
-- Often enough that two apps write at once.
function enter()
  spawn(function() for _ = 1, 20 do room.n = room.n + 1 sleep(0) end end)
end

--- inspector: a text that somebody enters who looks into the app
-- entered: inspector

--- inspector-write: an observer of what somebody writes who looks into the app
-- entered: inspector write
looked = model "looked" { n = 0 }
observe(looked, "n", step)

--- inspector-read: a computed value that somebody reads who looks into the app
-- entered: inspector read
looked = model "looked" { n = 0, other = computed(function(self) local n = self.n step() return n end) }
function enter() looked.n = looked.n + 1 end
