import Testing
import Tidelock

@Suite struct TodoTests {
  private let app: RunningExample

  init() throws { app = try RunningExample("todo") }

  private func isEnabled(_ id: String) throws -> Bool { try app.view(id)["enabled"] == true }

  private func add(_ text: String) throws {
    try app.press("F2")
    try app.type(text)
    try app.press("Enter")
  }

  @Test func `Enter adds what was typed, with its minutes if there are any`() throws {
    try add("Feed the cat 5")
    try add("  Sing ")
    #expect(try app.lua("models.todo.tasks[7].title") == "Feed the cat")
    #expect(try app.lua("models.todo.tasks[7].minutes") == 5)
    #expect(try app.lua("models.todo.tasks[8].title") == "Sing")
    #expect(try app.lua("models.todo.tasks[8].minutes") == 30)
    #expect(try app.text("draft") == "")
    #expect(try app.text("count") == "8 tasks")
    #expect(try app.text("left") == "5 h 00 left")
    try expectPicture(app.picture, "todo-added")
    #expect(app.runtime.errors.isEmpty)
  }

  @Test func `nothing is added where nothing was typed`() throws {
    #expect(try !isEnabled("add"))
    try add("   ")
    #expect(try app.text("count") == "6 tasks")
    #expect(try !isEnabled("add"))
    try app.type("x")
    #expect(try isEnabled("add"))
    try app.press("Tab Space")
    #expect(try app.text("count") == "7 tasks")
    #expect(try !isEnabled("add"))
    #expect(app.runtime.errors.isEmpty)
  }

  @Test func `Space turns a task over, and the figures follow`() throws {
    #expect(try app.text("done") == "2 done")
    #expect(try app.text("left") == "4 h 25 left")
    try app.press("End Space")
    #expect(try app.text("done") == "3 done")
    #expect(try app.text("left") == "1 h 25 left")
    try app.press("Up Space Up Space")
    #expect(try app.text("done") == "3 done")
    #expect(try app.text("left") == "1 h 15 left")
    #expect(try app.lua("models.todo.tasks[4].done") == false)
    #expect(app.runtime.errors.isEmpty)
  }

  @Test func `filters show some of them, as they come to be`() throws {
    try app.press("F4")
    #expect(try app.lua("#models.tasks.arrangedObjects") == 4)
    try expectPicture(app.picture, "todo-open")
    // What is done goes out of sight, and the next one is selected.
    try app.press("Home Space Space")
    #expect(try app.lua("#models.tasks.arrangedObjects") == 2)
    #expect(try app.lua("models.tasks.arrangedObjects[1].title") == "Read the tide table")
    try app.press("F5")
    #expect(try app.lua("#models.tasks.arrangedObjects") == 4)
    try add("One more")
    #expect(try app.lua("models.todo.show") == 1)
    #expect(try app.lua("#models.tasks.arrangedObjects") == 7)
    try app.press("F4")
    #expect(try app.lua("#models.tasks.arrangedObjects") == 3)
    #expect(app.runtime.errors.isEmpty)
  }

  @Test func `what is done is cleared away when one is sure, and then there is nothing to clear`()
    throws
  {
    #expect(try isEnabled("clear"))
    try app.press("F8")
    try expectPicture(app.picture, "todo-clearing")
    try app.press("Escape")
    #expect(try app.text("count") == "6 tasks")
    try app.press("F8 Enter")
    #expect(try app.text("count") == "6 tasks")
    try app.press("F8 Tab Enter")
    #expect(try app.text("count") == "4 tasks")
    #expect(try app.text("done") == "0 done")
    #expect(try app.lua("models.todo.tasks[1].title") == "Answer Ada's letter")
    #expect(try !isEnabled("clear"))
    try app.press("F8 Space")
    #expect(try isEnabled("clear"))
    #expect(app.runtime.errors.isEmpty)
  }

  @Test func `the details are those of the selected task, and change it`() throws {
    try app.press("Down")
    #expect(try app.text("notes") == "She asks about the new lamp.")
    try app.press("Tab End s Tab Right Tab Ctrl-End")
    try app.type(" Soon.")
    #expect(try app.lua("models.todo.tasks[2].title") == "Answer Ada's letters")
    #expect(try app.lua("models.todo.tasks[2].minutes") == 50)
    #expect(try app.lua("models.todo.tasks[2].notes") == "She asks about the new lamp. Soon.")
    #expect(try app.text("left") == "4 h 30 left")
    #expect(app.runtime.errors.isEmpty)
  }

  @Test func `a heading sorts, and the selection stays with its task`() throws {
    try app.press("End Right Right Enter")
    #expect(try app.lua("models.tasks.arrangedObjects[1].title") == "Answer Ada's letter")
    #expect(try app.text("title") == "Paint the boat")
    try app.press("Right Enter Enter")
    #expect(try app.lua("models.tasks.arrangedObjects[1].title") == "Paint the boat")
    #expect(app.runtime.errors.isEmpty)
  }

  @Test func `Delete removes one after the other, to the last`() throws {
    try app.press("Delete Delete Delete Delete Delete")
    #expect(try app.text("count") == "1 task")
    #expect(try app.text("left") == "3 h 00 left")
    #expect(try isEnabled("remove"))
    try app.press("Delete Delete Space")
    #expect(try app.text("count") == "0 tasks")
    #expect(try app.text("left") == "0 min left")
    #expect(try !isEnabled("remove"))
    try expectPicture(app.picture, "todo-empty")
    #expect(app.runtime.errors.isEmpty)
  }

  @Test func `a reload keeps the tasks, what is shown and what was being typed`() throws {
    try app.press("Space F4 F2 h i")
    try app.runtime.reload()
    try app.press("!")
    #expect(try app.text("draft") == "hi!")
    #expect(try app.lua("models.todo.show") == 2)
    #expect(try app.text("done") == "1 done")
    #expect(try app.lua("#models.tasks.arrangedObjects") == 5)
    #expect(app.runtime.errors.isEmpty)
  }
}
