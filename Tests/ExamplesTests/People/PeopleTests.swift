import Foundation
import Testing
import Tidelock

@Suite struct PeopleTests {
  private let runtime: Runtime
  private let scene: Scene
  private let size = Size(width: 80, height: 24)

  init() throws {
    runtime = try Runtime(app: Examples.folder.appending(path: "people/app.lua"))
    try runtime.load()
    scene = try #require(runtime.scene)
    try scene.mount(TextRenderer(size: size))
  }

  private var picture: String { scene.window.snapshot(size: size) }

  private func lua(_ source: String) throws -> Value { try runtime.evaluate(source) }

  private func text(_ id: String) throws -> Value { try #require(scene.window.find(id))["text"] }

  @Test func `it looks as it did`() throws {
    try expectPicture(picture, "people")
    #expect(runtime.errors.isEmpty)
  }

  @Test(arguments: [
    Size(width: 1, height: 1), Size(width: 30, height: 8), Size(width: 160, height: 50),
  ])
  func `it fits any terminal`(size: Size) {
    let lines = scene.window.snapshot(size: size).split(separator: "\n")
    #expect(lines.count <= size.height)
    #expect(lines.allSatisfy { $0.count <= size.width })
    #expect(runtime.errors.isEmpty)
  }

  @Test func `arrows select, and the details follow`() throws {
    try scene.send(keys: "Down Down")
    #expect(try text("title") == "Barbara Liskov")
    #expect(try text("age") == "84")
    #expect(try lua("models.people.selectionIndex") == 3)
    try scene.send(keys: "Up")
    #expect(try text("name") == "Alan Turing")
  }

  @Test func `an edit waits for its end, and then is in the list`() throws {
    try scene.send(keys: "Tab End ! !")
    #expect(try lua("models.people.isEditing") == true)
    #expect(try lua("models.company.staff[1].name") == "Ada Lovelace")
    try scene.send(keys: "Enter")
    #expect(try lua("models.company.staff[1].name") == "Ada Lovelace!!")
    #expect(try lua("models.people.isEditing") == false)
    #expect(picture.contains("│ Ada Lovelace!!"))
  }

  @Test func `what the model refuses keeps the selection until it is mended or discarded`() throws {
    try scene.send(keys: "Tab Tab End Backspace Backspace - 5 Enter")
    #expect(try lua("models.company.staff[1].age") == 36)
    #expect(try #require(scene.window.find("age"))["error"] == "An age is 0 to 130.")
    try expectPicture(picture, "people-refused")
    try scene.send(keys: "Ctrl-S")
    #expect(try text("message") == "An age is 0 to 130.")
    #expect(try lua("models.people.isEditing") == true)
    let list = try #require(scene.window.find("staff"))
    list.focus()
    try scene.send(keys: "Down")
    #expect(try lua("models.people.selectionIndex") == 1)
    #expect(list["selectedIndex"] == 1)
    try scene.send(keys: "Escape")
    #expect(try text("age") == "36")
    #expect(try lua("models.people.isEditing") == false)
    #expect(runtime.errors.isEmpty)
    try scene.send(keys: "Down")
    #expect(try text("age") == "41")
  }

  @Test func `keys sort, and the selection stays with its person`() throws {
    try scene.send(keys: "Down Down")
    try scene.send(keys: "F4")
    #expect(try text("title") == "Barbara Liskov")
    #expect(try lua("models.people.arrangedObjects[1].name") == "Ada Lovelace")
    #expect(try lua("models.people.arrangedObjects[13].name") == "Tony Hoare")
    try expectPicture(picture, "people-by-age")
    try scene.send(keys: "F5")
    #expect(try lua("models.people.arrangedObjects[1].team") == "Compilers")
    #expect(try text("title") == "Barbara Liskov")
    #expect(runtime.errors.isEmpty)
  }

  @Test func `a search filters, and the first match is selected when nobody else is left`() throws {
    try scene.send(keys: "/ b o s t o n")
    #expect(try lua("#models.people.arrangedObjects") == 3)
    #expect(try text("title") == "Barbara Liskov")
    try scene.send(keys: "z")
    #expect(try lua("models.people.selectionIndex") == .null)
    #expect(try text("title") == "Nobody")
    #expect(try #require(scene.window.find("leave"))["enabled"] == false)
    try scene.send(keys: "Backspace Enter Down")
    #expect(try text("title") == "Margaret Hamilton")
    #expect(runtime.errors.isEmpty)
  }

  @Test func `people come and go`() throws {
    try scene.send(keys: "F2")
    #expect(try text("title") == "New person")
    #expect(try lua("#models.company.staff") == 14)
    try scene.send(keys: "F8")
    #expect(try lua("#models.company.staff") == 13)
    #expect(try text("message") == "New person has left.")
    #expect(try lua("models.people.selectionIndex") != .null)
    try scene.send(keys: "F2 / b o s t o n")
    #expect(try lua("#models.people.arrangedObjects") == 3)
    #expect(runtime.errors.isEmpty)
  }

  @Test func `a reload keeps the people and how they are sorted`() throws {
    try scene.send(keys: "F4 F8")
    try runtime.reload()
    #expect(try lua("#models.company.staff") == 12)
    #expect(try lua("models.chosen.order") == "age")
    #expect(try lua("models.people.arrangedObjects[12].name") == "Tony Hoare")
    #expect(runtime.errors.isEmpty)
  }
}
