describe("the dashboard", function()
  local ran

  before_each(function()
    ran = {}
    file.stub {
      ["./services.json"] = '[{"name": "web", "state": "ok", "load": 0.5}, {"name": "mail", "state": "down", "load": 0}]',
      ["./web.log"] = "started\nserving\n",
      ["./mail.log"] = "stopped\n",
    }
    process.stub { sh = function(arguments) ran[#ran + 1] = arguments[2] end }
    ui.mount "app.lua"
    clock.advance(0.1)
  end)

  it("shows the services and the log of the selected one", function()
    local shown = ui.snapshot "60x12"
    assert.truthy(shown:find("2 services", 1, true))
    assert.truthy(shown:find("serving", 1, true))
  end)

  it("follows the services", function()
    file.write("./services.json", '[{"name": "web", "state": "ok", "load": 1}]')
    clock.advance(3)
    assert.truthy(ui.snapshot("60x12"):find("1 services", 1, true))
  end)

  it("says what is wrong", function()
    file.write("./services.json", "[")
    clock.advance(3)
    assert.truthy(models.services.error:find("line 1", 1, true))
  end)

  it("restarts once somebody has said so", function()
    ui.press "F5"
    ui.press "Enter"
    clock.advance(0.1)
    assert.equal(1, #ran)
    assert.truthy(ran[1]:find("web.log", 1, true))
  end)
end)
