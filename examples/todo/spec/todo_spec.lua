describe("the list of things to do", function()
  local todo

  before_each(function()
    ui.mount "app.lua"
    todo = models.todo
  end)

  after_each(function() assert.no_errors() end)

  it("adds what was typed, with its minutes", function()
    ui.type("draft", "Feed the cat 5\n")
    assert.equal(7, #todo.tasks)
    assert.property(todo, "tasks[7].title").is "Feed the cat"
    assert.property(todo, "tasks[7].minutes").is(5)
    assert.equal("", views.draft.text)
    assert.equal("7 tasks", views.count.text)
  end)

  it("adds nothing where nothing was typed", function()
    assert.is_false(views.add.enabled)
    ui.type("draft", "   \n")
    assert.equal(6, #todo.tasks)
    assert.has_error(function() ui.tap "add" end)
  end)

  it("shows the selected task", function()
    ui.select("tasks", 2)
    assert.equal("Answer Ada's letter", views.title.text)
    assert.bound(views.title, "text")
    ui.type("title", " today")
    assert.property(todo, "tasks[2].title").is "Answer Ada's letter today"
  end)

  it("turns a task over with Space", function()
    ui.select("tasks", 6)
    ui.press "Space"
    assert.is_true(todo.tasks[6].done)
    assert.equal("3 done", views.done.text)
    assert.equal("1 h 25 left", views.left.text)
  end)

  it("shows some of them", function()
    ui.press "F4"
    assert.equal(4, #models.tasks.arrangedObjects)
    assert.snapshot(ui, "open tasks")
  end)

  it("asks before it clears", function()
    ui.tap "clear"
    assert.is_false(views.question.hidden)
    assert.has_error(function() ui.tap "draft" end)
    ui.press "Escape"
    assert.equal(6, #todo.tasks)
    ui.press "F8 Tab Enter"
    assert.equal(4, #todo.tasks)
  end)
end)
