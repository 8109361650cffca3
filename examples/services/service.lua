-- A service: a program that is started, stopped and watched, or one that only pretends to be.

-- Running programs needs `--allow run=sh`. Without it, and in a spec without a stub, what the
-- program would write is made up.
local function launch(service)
  local isAllowed, program =
    pcall(process.start, "sh", { "-c", require "worker", service.name, service.pace })
  return isAllowed and program or require "pretended"(service)
end

return class "Service" {
  name = "", description = "", pace = 2,
  state = property { enum = { "stopped", "running", "stopping", "failed" }, default = "stopped" },
  -- Whether it should run, which a save of the app's files does not change.
  isWanted = false,
  -- When it was started, in seconds since the epoch.
  since = property { type = "number" },
  starts = 0,
  -- What runs, or ran last: it has `id`, `output`, `errors`, `kill` and `wait`.
  program = property {},
  -- What it has written; what went wrong stands at the end.
  lines = computed(function(self)
    return self.program and concat(self.program.output, self.program.errors) or list {}
  end),
  isOn = computed(function(self) return self.state == "running" or self.state == "stopping" end),

  start = function(self)
    if self.isOn then return end
    local program = launch(self)
    self.program, self.state, self.isWanted = program, "running", true
    self.since, self.starts = now(), self.starts + 1
    -- A task that says how it has ended, whoever has ended it.
    spawn(function()
      local result = program:wait()
      local isFine = self.state == "stopping" or result.code == 0
      self.state, self.since = isFine and "stopped" or "failed", nil
    end)
  end,

  stop = function(self)
    self.isWanted = false
    if self.state ~= "running" then return end
    self.state = "stopping"
    self.program:kill()
  end,

  -- It waits for the end, as it may in the handler of an event.
  restart = function(self)
    self:stop()
    while self.isOn do sleep(0.05) end
    self:start()
  end,

  -- Programs end with the files that started them: a save starts them anew.
  resume = function(self)
    self.state = "stopped"
    if self.isWanted then self:start() end
  end,
}
