describe("another person", function()
  local bo

  before_each(function()
    ui.mount("room.lua", { arg = { "Ann" } })
    bo = ui.session("Bo", "room.lua", { size = "40x10", arg = { "Bo" } })
  end)

  it("shares what is shared, and has the rest apart", function()
    bo.type("title", "Kitchen")
    assert.equal("Kitchen", models.room.title)
    ui.type("title", "!")
    assert.equal("Kitchen!", bo.value "models.room.title")
    bo.type("note", "by")
    assert.equal("Boby", bo.value "views.note.text")
    assert.equal("Ann", views.note.text)
    assert.no_errors()
  end)

  it("shares rows, which both put in", function()
    ui.tap "join"
    bo.tap "join"
    assert.equal(2, #models.room.members)
    assert.equal("Bo", models.room.members[2].name)
    assert.same({ "Ann", "Bo" },
      bo.value "models.room.members:map(function(each) return each.name end)")
    assert.matches("Bo", ui.snapshot())
    assert.matches("Ann", bo.snapshot())
    bo.select("members", 1)
    assert.equal(1, bo.value "views.members.selectedIndex")
    assert.is_nil(views.members.selectedIndex)
  end)

  it("sees what the spec writes itself", function()
    models.room.title = "Hall"
    assert.equal("Hall", bo.value "views.title.text")
    assert.matches("Hall", bo.snapshot())
  end)

  it("has a clock that stands where ours does", function()
    clock.advance(3.5)
    assert.equal(3, models.own.ticks)
    assert.equal(3, bo.value "models.own.ticks")
    assert.eventually(function() return bo.value "models.own.ticks" == 5 end)
    assert.equal(5, models.own.ticks)
  end)

  it("gives plain values", function()
    assert.same({ 1, { a = "b" } }, bo.value "{ 1, { a = 'b' } }")
    assert.is_nil(bo.value "nil")
    assert.is_false(bo.value "false")
    assert.error_matches(function() bo.value "1 +" end, "unexpected symbol")
    assert.error_matches(function() bo.value "models.rom" end, "rom")
  end)

  it("finds views by their ids alone", function()
    assert.error_matches(function() bo.tap "jion" end, 'no shown view of Bo has the id or title "jion"')
    assert.error_matches(function() bo.tap(views.join) end, "takes the id of a view")
    assert.error_matches(function() return bo.pres end, 'Bo has no word "pres"; did you mean "press"')
    assert.error_matches(function() return bo.mount end, 'Bo has no word "mount"')
  end)

  it("has errors, which are found as ours are", function()
    bo.tap "fail"
    assert.equal(1, #bo.errors())
    assert.matches("room.lua:%d+: no", bo.errors()[1])
    assert.is_not.no_errors()
  end)

  it("may leave, and what they have written stays", function()
    bo.tap "join"
    bo.close()
    assert.error_matches(function() bo.tap "join" end, "the session has ended")
    assert.equal("Bo", models.room.members[1].name)
    local cleo = ui.session("Cleo", "room.lua", { arg = { "Cleo" } })
    assert.equal("Bo", cleo.value "models.room.members[1].name")
  end)

  it("tells scripts the person's name", function()
    assert.equal("Bo", bo.value "viewer.name")
    bo.tap "join"
    assert.equal("Bo", bo.value "viewer.name")
    assert.equal("", viewer.name)
  end)

  it("finds what was kept for them when they come again", function()
    bo.tap "zoom"
    bo.close()
    local cleo = ui.session("Cleo", "room.lua")
    assert.equal(1, cleo.value "models.zoom.factor")
    bo = ui.session("Bo", "room.lua")
    assert.equal(2, bo.value "models.zoom.factor")
    assert.equal(1, models.zoom.factor)
    bo.tap "zoom"
    -- The program begins anew.
    ui.mount "room.lua"
    bo = ui.session("Bo", "room.lua")
    assert.equal(3, bo.value "models.zoom.factor")
    assert.no_errors()
  end)

  it("goes when the app begins anew", function()
    bo.type("title", "Kitchen")
    ui.mount "room.lua"
    assert.equal("", models.room.title)
    assert.error_matches(function() bo.snapshot() end, "the session has ended")
  end)

  it("needs an app that is there and shows something", function()
    assert.error_matches(function() ui.session("Eve", "rom.lua") end, "there is no file")
    assert.error_matches(function() ui.session("Eve", "parts/late.lua") end, "shows no view")
    assert.error_matches(function() ui.session("room.lua") end, "the name of a person and")
  end)
end)

describe("an app that begins anew", function()
  it("finds what it kept", function()
    ui.mount "room.lua"
    ui.tap "zoom"
    models.settings.width = 40
    models.settings.recent:append "book.db"
    ui.mount "room.lua"
    assert.equal(40, models.settings.width)
    assert.same({ "book.db" }, models.settings.recent)
    models.settings.recent:append "room.db"
    ui.mount "room.lua"
    assert.same({ "book.db", "room.db" }, models.settings.recent)
    assert.equal(2, models.zoom.factor)
    assert.no_errors()
  end)

  it("finds nothing of other tests", function()
    ui.mount "room.lua"
    assert.equal(30, models.settings.width)
    assert.equal("", models.room.title)
  end)
end)
