-- What stands in for a program: it has what `process.start` gives, and writes what worker.lua does.

local count = 4000

return function(service)
  count = count + 1
  local program
  program = object {
    id = count, running = true, code = property { type = "integer" }, errors = list {},
    kill = function(self) after(0.3, function() self:finish(0) end) end,
    finish = function(self, code)
      if not self.running then return end
      self.output:cancel()
      self.running, self.code = false, code
    end,
    wait = function(self)
      while self.running do sleep(0.1) end
      return { code = self.code }
    end,
    output = stream(function(push)
      push(("INFO %s listens, process %d"):format(service.name, count))
      for number = 1, math.huge do
        push(("INFO %s handled request %d"):format(service.name, number))
        if service.name == "mailer" and number == 5 then break end
        sleep(service.pace)
      end
      program.errors:append "ERROR mailer has no connection to its host"
      program:finish(1)
    end, { limit = 1000 }),
  }
  return program
end
