import Testing
import TideBindings
import TideGraph

@testable import TideViews

private final class Note: DataObject, Command {
  @Property var canExecute = true
  var count = 0
  func execute(_ sender: View) { count += 1 }
}

@Suite struct MenuViewTests {
  private func entry(
    _ title: String, key: String? = nil, command: DataObject? = nil, items: [Value]? = nil
  ) throws -> Value {
    let entry = MenuEntry()
    try entry.set("title", .string(title))
    try entry.set("key", key.map { .string($0) } ?? .null)
    try entry.set("command", command.map { .object($0) } ?? .null)
    try entry.set("items", items.map { .object(ValueList($0)) } ?? .null)
    return .object(entry)
  }

  private func bar(_ save: Note, _ more: Note) throws -> MenuView {
    let menu = MenuView(viewClass: .menu)
    menu[.items] = .object(
      ValueList([
        try entry(
          "File",
          items: [
            try entry("Open", items: [try entry("Recent", command: more)]), "-",
            try entry("Save", key: "Ctrl-S", command: save),
          ]),
        try entry("Edit", items: [try entry("Undo")]),
      ]))
    return menu
  }

  @Test func `a bar shows titles, and opens their items over the rest`() throws {
    let save = Note()
    let menu = try bar(save, Note())
    let root = try ViewClass.column.make([menu, LabelView("text")])
    let shown = try ShownView(root, 24, 6)
    #expect(try shown.text == " File  Edit\ntext")
    try shown.press("F10")
    #expect(
      try shown.lines
        == [
          " File  Edit", "┌────────────────┐", "│ Open         › │", "│────────────────│",
          "│ Save    Ctrl-S │", "└────────────────┘",
        ])
    try shown.press("Down Enter")
    #expect(save.count == 1)
    #expect(try shown.text == " File  Edit\ntext")
  }

  @Test func `arrows go through titles and into further items`() throws {
    let more = Note()
    let menu = try bar(Note(), more)
    let field = FieldView("")
    let shown = try ShownView(try ViewClass.column.make([menu, field]), 40, 8)
    try shown.press("Tab F10 Down Right")
    #expect(try shown.text.contains("Undo"))
    try shown.press("Left Right")
    #expect(try shown.text.contains("Recent"))
    try shown.press("Left")
    #expect(try !shown.text.contains("Recent"))
    try shown.press("Right Enter x")
    #expect(more.count == 1)
    #expect(field.text == "x", "afterwards keys go where they went before")
  }

  @Test func `the key of an item works from anywhere`() throws {
    let save = Note()
    let menu = try bar(save, Note())
    let field = FieldView("")
    let shown = try ShownView(try ViewClass.column.make([menu, field]), 40, 8)
    var told: [Int?] = []
    try menu.on("didSelect") { _, event in told.append(event.index) }
    try shown.press("Tab Ctrl-S")
    #expect(save.count == 1)
    #expect(told == [2])
    menu[.enabled] = false
    #expect(!shown.scene.send(.key(try Key("Ctrl-S"))))
  }

  @Test func `an item whose command cannot be executed is grey and does nothing`() throws {
    let save = Note()
    save.canExecute = false
    let menu = try bar(save, Note())
    let shown = try ShownView(try ViewClass.column.make([menu]), 40, 8)
    try shown.press("Ctrl-S F10 End")
    _ = try shown.text
    #expect(shown.scene.frame[2, 4].style.attributes.contains(.dim))
    try shown.press("Enter Escape")
    #expect(save.count == 0)
    save.canExecute = true
    try shown.press("Ctrl-S")
    #expect(save.count == 1)
  }

  @Test func `the mouse opens, goes into items and takes them`() throws {
    let save = Note()
    let more = Note()
    let menu = try bar(save, more)
    let shown = try ShownView(try ViewClass.column.make([menu, LabelView("x")]), 40, 8)
    shown.click(2, 0)
    _ = try shown.text
    shown.click(3, 4)
    #expect(save.count == 1)
    shown.click(2, 0)
    _ = try shown.text
    shown.click(3, 2)
    #expect(try shown.text.contains("Recent"))
    shown.click(20, 3)
    #expect(more.count == 1)
    shown.click(2, 0)
    _ = try shown.text
    shown.click(30, 7)
    #expect(!menu.isOpen)
  }

  @Test func `with a title it is a button`() throws {
    let menu = try bar(Note(), Note())
    menu[ViewKey<String>("title")] = "More"
    let shown = try ShownView(try ViewClass.column.make([menu]), 40, 8)
    #expect(try shown.text == "[ More ▾ ]")
    try shown.press("Tab Enter")
    #expect(try shown.lines[2].contains("File"))
    try shown.press("Escape")
    #expect(try shown.text == "[ More ▾ ]")
    #expect(shown.scene.focused === menu)
  }

  @Test func `a key that is none is told once`() throws {
    let menu = MenuView(viewClass: .menu)
    let shown = try ShownView(try ViewClass.column.make([menu]), 40, 8)
    var errors: [TideError] = []
    shown.scene.onError = { errors.append($0) }
    menu[.items] = .object(ValueList([try entry("Save", key: "Ctrl-Ente")]))
    _ = try shown.text
    try shown.press("a b F10 Escape")
    #expect(errors.count == 1)
    #expect(errors.first?.message.contains("Ctrl-Enter") == true)
  }

  @Test func `it stands any size and items of any kind`() throws {
    for (width, height) in [(0, 0), (1, 1), (6, 2), (300, 100)] {
      let menu = MenuView(viewClass: .menu)
      menu[.items] = .object(
        ValueList([try entry("File", items: [3, true, .null, "-"]), 4, "x", try entry("")]))
      let shown = try ShownView(try ViewClass.column.make([menu]), width, height)
      try shown.press("F10 Down Up Right Right Left End Home Enter F10 x Escape")
      shown.click(0, 0)
      shown.click(0, 0)
      _ = try shown.text
    }
  }
}
