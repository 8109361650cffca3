describe("an app", function()
  for time = 1, 2 do
    it("begins anew, time " .. time, function()
      assert.is_nil(rawget(_G, "seenByTests"))
      assert.is_nil(package.loaded["parts.counter"])
      ui.mount "app.lua"
      assert.equal(1, seenByTests)
      assert.equal("Counter!", views.title.text)
      assert.equal("0", views.count.text)
      ui.tap "more"
      assert.equal("1", views.count.text)
      assert.equal("late", lateModule)
      models.app.title = "Changed"
      assert.equal("Changed!", views.title.text)
      assert.no_errors()
    end)
  end

  it("begins anew within a test", function()
    ui.mount "app.lua"
    ui.tap "more"
    models.app.title = "Changed"
    ui.mount "app.lua"
    assert.equal(1, seenByTests)
    assert.equal("Counter!", views.title.text)
    assert.equal("0", views.count.text)
    assert.no_errors()
  end)

  it("is gone afterwards", function()
    assert.has_error(function() return views.title end)
    assert.has_error(function() return models.app end)
    assert.error_matches(function() ui.snapshot() end, "nothing is shown; begin with ui.mount")
    assert.has_error(function() view.twice {} end)
  end)

  it("may wait before it shows anything", function()
    ui.mount "shows.lua"
    assert.equal("here after a while, nil", views.late.text)
    ui.mount("shows.lua", { arg = { "first" } })
    assert.equal("here after a while, first", views.late.text)
    assert.same({ [0] = arg[0], "first" }, arg)
  end)

  it("lists what handlers do wrong", function()
    ui.mount "app.lua"
    ui.tap "fail"
    assert.is_not.no_errors()
    assert.error_matches(function() assert.no_errors() end, "app.lua:15: no")
  end)

  it("must be there", function()
    assert.error_matches(function() ui.mount "ap.lua" end, "there is no file .*ap.lua")
    assert.error_matches(function() ui.mount "shwos.lua" end, 'did you mean "[^"]*shows.lua"')
    assert.error_matches(function() ui.mount(3) end, "takes a view or the name")
    assert.error_matches(function() ui.mount(object {}) end, "not the data object object")
    assert.error_matches(function() ui.mount "parts/late.lua" end, "late.lua shows no view")
    local _, raised = pcall(ui.mount, "parts/broken.lua")
    assert.matches("parts/broken.lua:1: oops", tostring(raised))
    _, raised = pcall(ui.mount, "parts/unfinished.lua")
    assert.matches("^[^\n]*parts/unfinished.lua:1:[%d:]* unexpected symbol near '='", tostring(raised))
    _, raised = pcall(ui.mount, "parts/needs.lua")
    assert.matches("^[^\n]*app_spec.lua:%d+: error loading module", tostring(raised))
    assert.error_matches(function() ui.mount(view.label {}, "80") end, "columns x rows")
  end)

  describe("that a block shows", function()
    setup(function() ui.mount "app.lua" end)

    it("is used by one test", function()
      ui.tap "more"
      assert.equal("1", views.count.text)
    end)

    it("and by the next, which may show something else", function()
      assert.equal("1", views.count.text)
      ui.mount(view.label { id = "else", text = "else" })
      assert.equal("else", ui.snapshot())
    end)

    it("and is there again", function() assert.equal("1", views.count.text) end)
  end)

  it("cannot end the tests, but can be asked whether it would", function()
    ui.mount "leaves.lua"
    ui.tap "leave"
    assert.error_matches(function() assert.no_errors() end, "exit would end the tests .* stub")
    local exits = stub(_G, "exit")
    ui.tap "leave"
    assert.stub(exits).was.called_with(3)
    exits:revert()
  end)
end)
