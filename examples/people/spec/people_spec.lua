describe("people", function()
  before_each(function() ui.mount "app.lua" end)
  after_each(function() assert.no_errors() end)

  local function shown() return #models.people.arrangedObjects end

  it("searches while one types", function()
    ui.press "/"
    ui.type("search", "boston")
    assert.equal(3, shown())
    assert.matches("3 of 13", ui.snapshot())
  end)

  it("holds an edit back until it is saved", function()
    ui.select("staff", 1)
    ui.type("city", " Town")
    assert.property(models.company, "staff[1].city").is "London"
    ui.press "Ctrl-S"
    assert.property(models.company, "staff[1].city").is "London Town"
    assert.equal("Saved.", views.message.text)
  end)

  it("discards an edit by its button", function()
    ui.select("staff", 1)
    ui.type("city", " Town")
    ui.tap "discard"
    assert.property(models.company, "staff[1].city").is "London"
    assert.equal("London", views.city.text)
    assert.equal("As it was.", views.message.text)
  end)

  it("hires somebody", function()
    ui.press "F2"
    assert.equal(14, #models.company.staff)
    assert.equal("Somebody new.", views.message.text)
  end)

  it("asks before somebody leaves", function()
    ui.select("staff", 2)
    ui.press "F8"
    assert.snapshot(ui, "the question")
    ui.press "Tab Enter"
    assert.equal(12, #models.company.staff)
    assert.equal("Alan Turing has left.", views.message.text)
  end)
end)
