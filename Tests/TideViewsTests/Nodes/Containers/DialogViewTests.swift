import Testing
import TideBindings
import TideGraph
import TideViews

@Suite struct DialogViewTests {
  private struct Form {
    let root: View
    let field = FieldView("text")
    let dialog = ViewClass.dialog.make()
    let yes = ButtonView("Yes")
    let no = ButtonView("No")

    init(modal: Bool = true) throws {
      root = try ViewClass.column.make([field])
      for _ in 0..<5 { try root.add(LabelView(String(repeating: "-", count: 30))) }
      dialog[ViewKey<String>("title")] = "Sure?"
      dialog[.modal] = modal
      dialog[.hidden] = true
      try dialog.add(LabelView("Delete it?"))
      try dialog.add(try ViewClass.row.make([yes, no]))
      try root.add(dialog, at: 1)
    }
  }

  @Test func `a dialog stands in the middle above the rest`() throws {
    let form = try Form()
    let shown = try ShownView(form.root, 30, 6)
    let plain = try shown.lines
    form.dialog[.hidden] = false
    #expect(
      try shown.lines == [
        "text", "------┌─ Sure? ───[×]─┐-------", "------│ Delete it?    │-------",
        "------│ [ Yes ][ No ] │-------", "------└───────────────┘-------",
        String(repeating: "-", count: 30),
      ])
    form.dialog[.hidden] = true
    #expect(try shown.lines == plain)
  }

  @Test func `what changes below does not show through`() throws {
    let form = try Form()
    let shown = try ShownView(form.root, 30, 6)
    form.dialog[.hidden] = false
    _ = try shown.text
    form.root.subviews[2][ViewKey<String>("text")] = String(repeating: "#", count: 30)
    #expect(try shown.lines[1] == "######┌─ Sure? ───[×]─┐#######")
    form.yes.title = "Yes!"
    #expect(try shown.lines[3].contains("[ Yes! ][ No ]"))
  }

  @Test func `while a modal dialog shows it has keys, mouse and focus to itself`() throws {
    let form = try Form()
    let shown = try ShownView(form.root, 30, 6)
    try shown.press("Tab")
    var rootKeys = 0
    form.root.onKey(try Key("Ctrl-S")) { _, _ in
      rootKeys += 1
      return true
    }
    form.dialog[.hidden] = false
    _ = try shown.text
    #expect(shown.scene.focused === form.yes)
    try shown.press("Tab")
    #expect(shown.scene.focused === form.no)
    try shown.press("Tab Ctrl-S")
    #expect(shown.scene.focused === form.yes)
    #expect(rootKeys == 0)
    #expect(!form.field.focus())
    shown.click(1, 0)
    #expect(shown.scene.focused === form.yes)
    form.dialog[.hidden] = true
    _ = try shown.text
    #expect(shown.scene.focused === form.field)
    try shown.press("Ctrl-S")
    #expect(rootKeys == 1)
  }

  @Test func `who hides a dialog may give the focus elsewhere at once`() throws {
    let form = try Form()
    let shown = try ShownView(form.root, 30, 6)
    form.dialog[.hidden] = false
    _ = try shown.text
    form.dialog[.hidden] = true
    #expect(form.field.focus())
    _ = try shown.text
    #expect(shown.scene.focused === form.field)
  }

  @Test func `a dialog that is not modal leaves the focus where it is`() throws {
    let form = try Form(modal: false)
    let shown = try ShownView(form.root, 30, 6)
    try shown.press("Tab")
    form.dialog[.hidden] = false
    _ = try shown.text
    #expect(shown.scene.focused === form.field)
    try shown.press("Tab")
    #expect(shown.scene.focused === form.yes)
    shown.click(1, 0)
    #expect(shown.scene.focused === form.field)
  }

  @Test func `Escape sends close, and hides it where nobody takes that`() throws {
    let form = try Form()
    let shown = try ShownView(form.root, 30, 6)
    form.dialog[.hidden] = false
    _ = try shown.text
    try shown.press("Escape")
    #expect(form.dialog[.hidden])
    var closes = 0
    try form.dialog.on(.close) { _, _ in closes += 1 }
    form.dialog[.hidden] = false
    _ = try shown.text
    try shown.press("Escape")
    #expect(closes == 1)
    #expect(!form.dialog[.hidden])
    shown.click(19, 1)
    #expect(closes == 2)
  }

  @Test func `an Escape that nobody takes closes a dialog without the focus`() throws {
    let form = try Form(modal: false)
    let shown = try ShownView(form.root, 30, 6)
    let note = ViewClass.dialog.make()
    try note.add(LabelView("Saved."))
    try form.root.add(note)
    form.dialog[.hidden] = false
    _ = try shown.text
    try shown.press("Tab")
    var isTaken = true
    form.root.onKey(try Key("Escape")) { _, _ in isTaken }
    try shown.press("Escape")
    #expect(!note[.hidden] && !form.dialog[.hidden])
    isTaken = false
    try shown.press("Escape")
    #expect(note[.hidden] && !form.dialog[.hidden])
    try shown.press("Escape")
    #expect(form.dialog[.hidden])
    #expect(!shown.scene.send(.key(Key(.escape))))
  }

  @Test func `a dialog over a dialog gives back to the one below`() throws {
    let form = try Form()
    let shown = try ShownView(form.root, 30, 6)
    try shown.press("Tab")
    let second = ViewClass.dialog.make()
    second[.modal] = true
    let ok = ButtonView("OK")
    try second.add(ok)
    form.dialog[.hidden] = false
    _ = try shown.text
    try shown.press("Tab")
    try form.root.add(second)
    _ = try shown.text
    #expect(shown.scene.focused === ok)
    second.remove()
    _ = try shown.text
    #expect(shown.scene.focused === form.no)
    form.dialog.remove()
    _ = try shown.text
    #expect(shown.scene.focused === form.field)
  }

  @Test func `it is no larger than the screen, at any size`() throws {
    for (width, height) in [(0, 0), (1, 1), (5, 2), (9, 9), (300, 100)] {
      let form = try Form()
      form.dialog[.hidden] = false
      let shown = try ShownView(form.root, width, height)
      _ = try shown.text
      shown.scene.resize(Size(width: height, height: width))
      _ = try shown.text
      try shown.press("Tab Escape")
      _ = try shown.text
    }
  }

  @Test func `a dialog in something hidden does not show`() throws {
    let form = try Form()
    form.dialog[.hidden] = false
    let holder = try ViewClass.column.make([form.root, LabelView("below")])
    let shown = try ShownView(holder, 30, 6)
    #expect(try shown.text.contains("Sure?"))
    form.root[.hidden] = true
    #expect(try shown.text == "below")
  }
}
