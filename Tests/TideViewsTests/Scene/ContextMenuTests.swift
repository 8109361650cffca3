import Testing
import TideBindings

@testable import TideViews

private final class Note: DataObject, Command {
  @Property var canExecute = true
  var senders: [View] = []
  func execute(_ sender: View) { senders.append(sender) }
}

@Suite struct ContextMenuTests {
  private let note = Note()

  private func items(_ titles: String...) throws -> Value {
    .object(
      ValueList(
        try titles.map { title in
          let entry = MenuEntry()
          try entry.set("title", .string(title))
          try entry.set("command", .object(note))
          return .object(entry)
        }))
  }

  private func press(_ button: MouseEvent.Button, _ x: Int, _ y: Int, in shown: ShownView) {
    for kind in [MouseEvent.Kind.press(button), .release(button)] {
      shown.scene.send(.mouse(MouseEvent(kind, at: Point(x: x, y: y))))
    }
  }

  @Test func `the right button opens the menu of the view below it, at the mouse`() throws {
    let label = LabelView("hello")
    label[.contextMenu] = try items("Copy", "Clear")
    let shown = try ShownView(ViewClass.column.make([label, FieldView("")]), 16, 6)
    _ = try shown.text
    press(.right, 2, 0, in: shown)
    #expect(
      try shown.lines == ["hello", "  ┌───────┐", "  │ Copy  │", "  │ Clear │", "  └───────┘", ""])
    try shown.press("Down Enter")
    #expect(note.senders.count == 1 && note.senders.first === label)
    #expect(try shown.lines[1] == "")
  }

  @Test func `a view without a menu leaves it to the one that holds it`() throws {
    let column = try ViewClass.column.make([LabelView("one")])
    column[.contextMenu] = try items("Copy")
    let shown = try ShownView(column, 16, 6)
    _ = try shown.text
    press(.right, 1, 0, in: shown)
    _ = try shown.text
    press(.left, 3, 2, in: shown)
    #expect(note.senders.first === column)
    #expect(shown.scene.input.contextMenu == nil)
    shown.expectSound()
  }

  @Test func `a key opens the menu of the focused view, and Escape closes it`() throws {
    let field = FieldView("text")
    field[.contextMenu] = try items("Copy")
    let shown = try ShownView(ViewClass.column.make([field]), 16, 6)
    try shown.press("Tab Shift-F10")
    #expect(try shown.text.contains("│ Copy │"))
    try shown.press("Escape x")
    #expect(try shown.text == "textx")
    #expect(try shown.scene.send(.key(Key("Shift-F10"))))
    field[.contextMenu] = .null
    try shown.press("Escape")
    #expect(try !shown.scene.send(.key(Key("Shift-F10"))))
  }

  @Test func `handlers are told before, and change the items`() throws {
    let label = LabelView("hello")
    let column = try ViewClass.column.make([label])
    let shown = try ShownView(column, 16, 6)
    let items = try items("Late")
    var senders: [View] = []
    try column.on(.willShowContextMenu) { view, event in
      senders.append(event.sender)
      view[.contextMenu] = items
    }
    _ = try shown.text
    press(.right, 1, 0, in: shown)
    #expect(try shown.text.contains("Late"))
    #expect(senders.count == 1 && senders.first === label)
  }

  @Test func `a menu whose view goes is closed`() throws {
    let label = LabelView("hello")
    label[.contextMenu] = try items("Copy")
    let column = try ViewClass.column.make([label])
    let shown = try ShownView(column, 16, 6)
    _ = try shown.text
    press(.right, 1, 0, in: shown)
    #expect(try shown.text.contains("Copy"))
    label.remove()
    #expect(try shown.text == "")
    #expect(shown.scene.input.contextMenu == nil)
  }

  @Test func `the right button selects the row of which the menu is`() throws {
    let list = ListView(viewClass: .list)
    list[.items] = .object(ValueList(["fig", "pear", "plum"]))
    let shown = try ShownView(list, 16, 8)
    _ = try shown.text
    press(.right, 1, 2, in: shown)
    #expect(list[.selectedIndex] == nil)
    list[.contextMenu] = try items("Delete")
    var rows: [Int?] = []
    try list.on(.willShowContextMenu) { _, event in rows.append(event.index) }
    press(.right, 1, 2, in: shown)
    #expect(list[.selectedIndex] == 2)
    #expect(rows == [2])
    try shown.press("Escape Home Shift-F10")
    #expect(rows == [2, 0])
  }

  @Test func `in a dialog the view below it has no say`() throws {
    let dialog = try ViewClass.dialog.make([LabelView("Sure?")])
    let column = try ViewClass.column.make([LabelView("behind"), dialog])
    column[.contextMenu] = try items("Behind")
    let shown = try ShownView(column, 20, 6)
    _ = try shown.text
    let middle = dialog.layout.rect
    press(.right, middle.x + 3, middle.y + 1, in: shown)
    #expect(try !shown.text.contains("Behind"))
    dialog[.contextMenu] = try items("Inside")
    press(.right, middle.x + 3, middle.y + 1, in: shown)
    #expect(try shown.text.contains("Inside"))
  }

  @Test func `a key of an item works while the focus is in the view`() throws {
    let field = FieldView("")
    let other = FieldView("")
    let column = try ViewClass.column.make([field])
    let entry = MenuEntry()
    try entry.set("title", "Copy")
    try entry.set("key", "F5")
    try entry.set("command", .object(note))
    column[.contextMenu] = .object(ValueList([.object(entry)]))
    let shown = try ShownView(ViewClass.column.make([column, other]), 16, 6)
    field.focus()
    try shown.press("F5")
    #expect(note.senders.count == 1)
    #expect(shown.scene.keyHelp.last?.lines.map(\.keys) == ["Shift-F10", "F5"])
    other.focus()
    try shown.press("F5")
    #expect(note.senders.count == 1)
  }

  @Test func `a reload opens the menu again`() throws {
    func app(_ items: Value) throws -> View {
      let label = LabelView("hello")
      label[.id] = "label"
      label[.contextMenu] = items
      return try ViewClass.column.make([label])
    }
    let shown = try ShownView(app(items("Copy", "Clear")), 16, 6)
    _ = try shown.text
    press(.right, 1, 0, in: shown)
    try shown.press("Down")
    try shown.scene.reconcile(with: app(items("Copy", "Wipe")))
    #expect(try shown.text.contains("Wipe"))
    try shown.press("Enter")
    #expect(note.senders.first?[.id] == "label")
  }
}
