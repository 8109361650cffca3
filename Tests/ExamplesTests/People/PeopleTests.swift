import Testing
import Tidelock

@Suite struct PeopleTests {
  private let app: RunningExample

  init() throws { app = try RunningExample("people") }

  @Test func `arrows select, and the details follow`() throws {
    try app.press("Down Down")
    #expect(try app.text("title") == "Barbara Liskov")
    #expect(try app.text("age") == "84")
    #expect(try app.lua("models.people.selectionIndex") == 3)
    try app.press("Up")
    #expect(try app.text("name") == "Alan Turing")
  }

  @Test func `an edit waits for its end, and then is in the list`() throws {
    try app.press("Tab End ! !")
    #expect(try app.lua("models.people.isEditing") == true)
    #expect(try app.lua("models.company.staff[1].name") == "Ada Lovelace")
    try app.press("Enter")
    #expect(try app.lua("models.company.staff[1].name") == "Ada Lovelace!!")
    #expect(try app.lua("models.people.isEditing") == false)
    #expect(app.picture.contains("\n Ada Lovelace!!"))
  }

  @Test func `what the model refuses keeps the selection until it is fixed or discarded`() throws {
    try app.press("Tab Tab End Backspace Backspace - 5 Enter")
    #expect(try app.lua("models.company.staff[1].age") == 36)
    #expect(try app.view("age")["error"] == "An age is 0 to 130.")
    try expectPicture(app.picture, "people-refused")
    try app.press("Ctrl-S")
    #expect(try app.text("message") == "An age is 0 to 130.")
    #expect(try app.lua("models.people.isEditing") == true)
    let list = try app.view("staff")
    list.focus()
    try app.press("Down")
    #expect(try app.lua("models.people.selectionIndex") == 1)
    #expect(list["selectedIndex"] == 1)
    try app.press("Escape")
    #expect(try app.text("age") == "36")
    #expect(try app.lua("models.people.isEditing") == false)
    #expect(app.runtime.errors.isEmpty)
    list.focus()
    try app.press("Down")
    #expect(try app.text("age") == "41")
  }

  @Test func `keys sort, and the selection stays with its person`() throws {
    try app.press("Down Down")
    try app.press("F4")
    #expect(try app.text("title") == "Barbara Liskov")
    #expect(try app.lua("models.people.arrangedObjects[1].name") == "Ada Lovelace")
    #expect(try app.lua("models.people.arrangedObjects[13].name") == "Tony Hoare")
    try expectPicture(app.picture, "people-by-age")
    try app.press("F5")
    #expect(try app.lua("models.people.arrangedObjects[1].team") == "Compilers")
    #expect(try app.text("title") == "Barbara Liskov")
    #expect(app.runtime.errors.isEmpty)
  }

  @Test func `a search filters, and the first match is selected when nobody else is left`() throws {
    try app.press("/ b o s t o n")
    #expect(try app.lua("#models.people.arrangedObjects") == 3)
    #expect(try app.text("title") == "Barbara Liskov")
    try app.press("z")
    #expect(try app.lua("models.people.selectionIndex") == .null)
    #expect(try app.text("title") == "Nobody")
    #expect(try app.view("leave")["enabled"] == false)
    try app.press("Backspace Enter Down")
    #expect(try app.text("title") == "Margaret Hamilton")
    #expect(app.runtime.errors.isEmpty)
  }

  @Test func `people come, and go when one is sure`() throws {
    try app.press("F2")
    #expect(try app.text("title") == "New person")
    #expect(try app.lua("#models.company.staff") == 14)
    try app.press("F8")
    try expectPicture(app.picture, "people-leaving")
    try app.press("Escape")
    #expect(try app.lua("#models.company.staff") == 14)
    try app.press("F8 Tab Enter")
    #expect(try app.lua("#models.company.staff") == 13)
    #expect(try app.text("message") == "New person has left.")
    #expect(try app.lua("models.people.selectionIndex") != .null)
    try app.press("F2 / b o s t o n")
    #expect(try app.lua("#models.people.arrangedObjects") == 3)
    #expect(app.runtime.errors.isEmpty)
  }

  @Test func `a reload keeps the people and how they are sorted`() throws {
    try app.press("F4 F8 Tab Enter")
    try app.runtime.reload()
    #expect(try app.lua("#models.company.staff") == 12)
    #expect(try app.lua("models.chosen.sort") == "age")
    #expect(try app.lua("models.people.arrangedObjects[12].name") == "Tony Hoare")
    #expect(app.runtime.errors.isEmpty)
  }
}
