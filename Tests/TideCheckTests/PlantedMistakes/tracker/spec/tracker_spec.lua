describe("the tracker", function()
  local tasks, commands

  before_each(function()
    ui.mount("app.lua", "80x24")
    tasks, commands = require "tasks", require "commands"
  end)

  it("adds a task", function()
    local count = #tasks.all
    commands.add()
    assert.equal(count + 1, #tasks.all)
    assert.equal("New task", models.chosen.task.title)
  end)

  it("finds a task by its title", function()
    ui.type("search", "boat")
    clock.advance(1)
    assert.truthy(ui.snapshot("tasks"):find("Paint", 1, true))
  end)

  it("hires somebody", function()
    ui.tap("hire")
    assert.equal("Eve", models.crew.members[4].name)
    assert.equal("Deck", commands.hire("Fay").team)
  end)

  it("saves with a key", function()
    ui.press("Ctrl-S")
    assert.truthy(views.message.text:find("tasks", 1, true))
    assert.equal("crew", views.crew.id)
    assert.is_true(views.editor ~= nil and views.first.height == 5 and views.urgent ~= nil)
    assert.is_true(views.notes ~= nil and views.save ~= nil and views.count.caption == "Tasks")
    assert.is_true(views.rank ~= nil and views.main ~= nil)
  end)
end)
