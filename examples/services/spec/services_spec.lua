describe("the services", function()
  local fleet

  local function mount()
    ui.mount "app.lua"
    fleet = models.fleet.services
    clock.advance(1)
  end

  after_each(function() assert.no_errors() end)

  describe("that are made up", function()
    before_each(mount)

    it("write lines", function()
      assert.matches("INFO web handled request 1", ui.snapshot())
      assert.equal("4 running", views.running.text)
    end)

    it("are stopped when that is confirmed", function()
      ui.press "F6"
      assert.matches("Stop web?", ui.snapshot(), 1, true)
      ui.press "Escape"
      assert.equal("running", fleet[1].state)
      ui.tap "stop"
      ui.tap "Stop"
      assert.equal("stopping", fleet[1].state)
      clock.advance(1)
      assert.equal("stopped", fleet[1].state)
      assert.is_false(views.stop.enabled)
      ui.press "F5"
      assert.equal("running", fleet[1].state)
    end)

    it("are restarted", function()
      ui.press "F7 Tab Enter"
      clock.advance(2)
      assert.equal("running", fleet[1].state)
      assert.equal(2, fleet[1].starts)
    end)

    it("may fail", function()
      clock.advance(10)
      assert.equal("failed", fleet[4].state)
      assert.equal("1 failed", views.failed.text)
      ui.select("services", 4)
      assert.matches("no connection", ui.snapshot())
    end)
  end)

  describe("that are programs", function()
    before_each(function()
      process.stub { sh = { output = "ready\n", error = "cut off\n", code = 3, delay = 5 } }
      mount()
    end)

    it("say how they end", function()
      assert.equal("running", fleet[2].state)
      clock.advance(5)
      assert.equal("failed", fleet[2].state)
      assert.matches("cut off", ui.snapshot())
    end)
  end)

  describe("of the machine", function()
    local listing

    before_each(function()
      listing = "   1 root  Ss   0.1  9000  90061 /sbin/init\n"
        .. "  77 ada   R+  85.0  1024     61 lua x.lua\n"
      process.stub {
        ps = function() return listing end,
        kill = function() listing = listing:match "[^\n]+\n" return { code = 0 } end,
      }
      mount()
      ui.press "F3"
      clock.advance(3)
    end)

    it("are listed", function()
      assert.equal(2, #models.machine.processes)
      assert.matches("85.0%%", ui.snapshot())
      assert.matches("25 h 01", ui.snapshot())
    end)

    it("stay selected while the figures change", function()
      ui.select("processes", 1)
      local process = models.processes.selectedObject
      assert.equal(77, process.id)
      listing = listing:gsub("85.0", "12.5")
      clock.advance(2)
      assert.equal(process, models.processes.selectedObject)
      assert.equal(0.125, process.cpu)
    end)

    it("are ended when that is confirmed", function()
      ui.select("processes", 1)
      ui.press "F6"
      ui.tap "End"
      clock.advance(3)
      assert.equal(1, #models.machine.processes)
    end)
  end)

  it("tell why the machine's processes are not shown", function()
    process.stub { ps = { code = 1, error = "no ps here" } }
    mount()
    ui.press "F3"
    clock.advance(1)
    assert.equal("no ps here", views.problem.text)
  end)
end)
