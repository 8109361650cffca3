--- main: the main script
-- entered: main

--- module: a module while it is required
-- entered: module

--- trial: a new version of the main script under trial
-- entered: saves app.lua
step()

--- trial-module: a new version of a module under trial
-- entered: saves part.lua
step()
return {}

--- trial-effect: what a new version under trial makes, while that settles
-- entered: saves app.lua
o = object { n = 0 }
effect(function() local n = o.n step() end)

--- trial-task: a task of a new version under trial
-- entered: saves app.lua
spawn(step)

--- dispose: hot.dispose, when a module goes
-- entered: replaces app.lua
hot.dispose(step)

--- dispose-cleanup: the clean-up of an effect, when a module goes
-- entered: replaces app.lua
effect(function() return step end)

--- accept: hot.accept, which takes a new version in place
-- entered: changes part.lua
require "part"
hot.accept(function() step() end)

--- assigned: an observer of what --set writes
-- entered: --set
written = model "door" { n = 0 }
observe(written, "n", function() step() end)

--- end-dispose: hot.dispose, when the program ends
-- entered: at the end
hot.dispose(step)

--- end-cleanup: the clean-up of an effect, when the program ends
-- entered: at the end
effect(function() return step end)

--- end-closer: a variable to be closed of a task that waits, when the program ends
-- entered: at the end
spawn(function()
  local closing <close> = setmetatable({}, { __close = step })
  sleep(1000)
end)

--- end-disappear: didDisappear, when the program ends
-- entered: at the end
show(view.label { text = "shown", on = { didDisappear = step } })

--- end-asked: willQuit, when the program ends
-- entered: at the end
on(app, "willQuit", function() step() end)

--- end-settings: a value that settings follow, when the program ends
-- entered: at the end
kept = controller.settings { name = "attacked" }
seen = object { n = 0 }
effect(function() kept.values.n = seen.n if seen.n > 0 then step() end end)
on(app, "willQuit", function() seen.n = 1 end)

--- prompt-argument: what is evaluated by repl -e
-- entered: repl -e

--- prompt: lines at the prompt
-- entered: repl

--- prompt-app: what is evaluated by repl -e with an app
-- entered: repl app.lua -e
every(0.005, function() end)

--- attached-argument: what is evaluated by repl --attach -e
-- entered: repl --attach -e

--- attached: lines at an attached prompt
-- entered: repl --attach

--- evaluate: a host's evaluate
-- entered: host evaluate

--- call: a function that a host calls
-- entered: host call

--- coroutine: a coroutine that a host resumes
-- entered: host coroutine

--- send: an observer of what another thread of the host writes
-- entered: host send
o = model "door" { n = 0, entries = 0 }
observe(o, "n", function()
  step()
  o.entries = o.entries + 1
end)
