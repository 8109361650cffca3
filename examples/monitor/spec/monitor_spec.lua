-- The program gives the app its machine; here stands one in for it that has three processes.

local function machine()
  local function process(pid, name, cpu, kernel)
    return { pid = pid, name = name, command = "/bin/" .. name, user = "ada", state = "S", cpu = cpu,
      memory = 1024 * pid, time = 0, threads = 1, isKernelThread = kernel or false }
  end
  local busy = { busy = 0.5, user = 0.3, system = 0.2, wait = 0, history = list { 0.4, 0.5 } }
  return model "machine" { host = "lamp", uptime = 90000, cpu = busy, cores = list { busy },
    memory = { total = 2 ^ 33, share = 0.25, history = list { 0.2, 0.25 } },
    load = { one = 1.5, five = 1.25, fifteen = 1 },
    network = { received = 2048, sent = 10, receivedHistory = list { 1, 2 }, sentHistory = list { 1 } },
    processes = list {
      process(1, "init", 0.01), process(2, "kthread", 0, true), process(30, "lighthouse", 0.9),
    },
  }
end

describe("the monitor", function()
  local processes

  before_each(function()
    machine()
    ui.mount "app.lua"
    processes = models.processes.arrangedObjects
  end)
  after_each(function() assert.no_errors() end)

  it("shows the busiest process first, until asked otherwise", function()
    assert.equal("lighthouse", processes[1].name)
    ui.press "p"
    assert.equal("init", processes[1].name)
  end)

  it("leaves kernel threads out", function()
    ui.press "k"
    assert.matches("2 of 3", ui.snapshot())
  end)

  it("filters by what is typed", function()
    ui.press "/"
    ui.type("filter", "light")
    assert.equal(1, #processes)
    ui.press "Escape"
    assert.equal(3, #processes)
  end)

  it("tells more of one", function()
    ui.select("processes", 1)
    ui.press "Enter"
    assert.equal("lighthouse", views.details.title)
    assert.matches("/bin/lighthouse", ui.snapshot())
  end)

  it("follows the machine", function()
    models.machine.load.one = 7.25
    assert.matches("7.25", ui.snapshot())
  end)
end)
