-- The processes of this machine, every two seconds while somebody looks: with `--allow run=ps`.

local columns = "pid=,user=,stat=,pcpu=,rss=,etimes=,args="
local row = "^%s*(%d+)%s+(%S+)%s+(%S+)%s+(%S+)%s+(%d+)%s+(%d+)%s+(.*)"

local states = {
  R = "running", S = "sleeping", D = "waiting", I = "idle", T = "stopped", Z = "ended",
}

local Process = class "Process" {
  id = 0, user = "", state = "", cpu = 0.0, memory = 0.0, age = 0.0, command = "",
}

-- A model, so that bindings find it.
local known = model "machine" { processes = list {}, problem = "" }

local machine = {}

--- Rows of what `ps` writes.
function machine.parse(text)
  local rows = {}
  for line in text:gmatch "[^\n]+" do
    local pid, user, state, cpu, memory, age, command = line:match(row)
    if pid then
      rows[#rows + 1] = { id = tonumber(pid), user = user, command = command,
        state = states[state:sub(1, 1)] or state, cpu = tonumber(cpu) / 100,
        memory = tonumber(memory) * 1024.0, age = tonumber(age) }
    end
  end
  return rows
end

--- Takes rows over. A process that was there before stays the same object, so that it remains
--- selected.
function machine.update(rows)
  local byID = {}
  for _, process in ipairs(known.processes) do byID[process.id] = process end
  for index, row in ipairs(rows) do
    local process = byID[row.id]
    if process then
      for name, value in pairs(row) do process[name] = value end
    end
    rows[index] = process or Process(row)
  end
  known.processes = rows
end

--- A resource that reads them again and again, as long as a function says so.
function machine.watch(isLooking)
  return resource(function()
    -- Without `--allow run=ps` it is an error to ask.
    local isAllowed, result = pcall(process.run, "ps", { "-eo", columns }, { timeout = 5 })
    known.problem = isAllowed and result.error or tostring(result)
    if isAllowed then machine.update(machine.parse(result.output)) end
  end, { every = 2, when = isLooking })
end

--- Asks a process to end, and waits; what is wrong, or nil.
function machine.stop(id)
  local isAllowed, result = pcall(process.run, "kill", { "-TERM", id })
  if not isAllowed then return tostring(result) end
  return result.code ~= 0 and result.error or nil
end

return machine
