import Testing
import TideBindings
import TideGraph
import TideViews

private func focused(_ text: String = "", width: Int = 10) throws -> (FieldView, ShownView) {
  let field = FieldView(text)
  let shown = try ShownView(try ViewClass.column.make([field]), width, 2)
  field.focus()
  return (field, shown)
}

/// What looks selected in the first row.
private func marked(_ shown: ShownView) throws -> String {
  _ = try shown.text
  let frame = shown.scene.frame
  return String(
    (0..<frame.width).filter { frame[$0, 0].style.attributes.contains(.reverse) }
      .map { frame.character(x: $0, y: 0) })
}

private func press(
  _ shown: ShownView, _ x: Int, _ y: Int = 0, clicks: Int = 1, modifiers: Key.Modifiers = []
) {
  shown.scene.send(
    .mouse(MouseEvent(.press(.left), at: Point(x: x, y: y), modifiers: modifiers, clicks: clicks)))
}

private func drag(_ shown: ShownView, _ x: Int) {
  shown.scene.send(.mouse(MouseEvent(.drag(.left), at: Point(x: x, y: 0))))
}

@Test func `keys with Shift select, and typing replaces what is selected`() throws {
  let (field, shown) = try focused("one two", width: 12)
  try shown.press("Shift-Left Shift-Left")
  #expect(try marked(shown) == "wo")
  #expect(field.selectedRange == 5..<7)
  try shown.press("x")
  #expect(field.text == "one tx")
  try shown.press("Ctrl-Shift-Left")
  #expect(try marked(shown) == "tx")
  try shown.press("Left")
  #expect(field.caretIndex == 4)
  #expect(try marked(shown) == "")
  try shown.press("Shift-Home Delete")
  #expect(field.text == "tx")
  try shown.press("Ctrl-A")
  #expect(try marked(shown) == "tx")
  try shown.press("Right Shift-Home Shift-End")
  #expect(field.caretIndex == 2)
  try shown.press("Ctrl-A Backspace")
  #expect(field.text == "")
}

@Test func `what is selected shows only with the focus`() throws {
  let (_, shown) = try focused("one")
  try shown.press("Ctrl-A")
  #expect(try marked(shown) == "one")
  shown.scene.focus(nil)
  #expect(try marked(shown) == "")
}

@Test func `text is copied, cut and pasted within the program`() throws {
  let field = FieldView("one two")
  let other = FieldView("")
  let shown = try ShownView(try ViewClass.column.make([field, other]), 10, 2)
  field.focus()
  var copied: [String] = []
  shown.scene.clipboard.onCopy = { copied.append($0) }
  try shown.press("Ctrl-Shift-Left Ctrl-C Left Shift-Home Ctrl-X Tab Ctrl-V Shift-Insert")
  #expect(field.text == "two")
  #expect(other.text == "one one ")
  #expect(copied == ["two", "one "])
  try shown.press("Ctrl-A Ctrl-Insert Shift-Delete Ctrl-V")
  #expect(other.text == "one one ")
}

@Test func `keys that quit and suspend are taken only while they mean something here`() throws {
  let (field, shown) = try focused("ab")
  func isTaken(_ name: String) throws -> Bool { shown.scene.send(.key(try Key(name))) }
  #expect(try !isTaken("Ctrl-C"))
  #expect(try !isTaken("Ctrl-X"))
  #expect(try !isTaken("Ctrl-Z"))
  shown.type("c")
  #expect(try isTaken("Ctrl-Z"))
  #expect(field.text == "ab")
  #expect(try !isTaken("Ctrl-Z"))
  #expect(try isTaken("Ctrl-Y"))
  #expect(try isTaken("Ctrl-Z"))
  #expect(try isTaken("Alt-Z"))
  #expect(field.text == "abc")
  #expect(try isTaken("Ctrl-A"))
  #expect(try isTaken("Ctrl-C"))
}

@Test func `an undo tells the property and the handlers`() throws {
  let thing = Thing("")
  let (field, shown) = try focused("")
  let context = BindingContext()
  defer { context.removeAll() }
  try context.bind("name <> text", thing, field)
  var heard: [String] = []
  try field.on(.editingChanged) { _, event in heard.append(event.value.text ?? "") }
  shown.type("ab")
  try shown.press("Ctrl-Z Ctrl-Y")
  #expect(heard == ["a", "ab", "", "ab"])
  #expect(thing.name == "ab")
}

@Test func `nothing leaks out of a secure field`() throws {
  let (field, shown) = try focused("")
  field[.secure] = true
  shown.type("open sesame")
  #expect(try shown.text == "•••••••••")
  #expect(!field.snapshot().contains("s"))
  try shown.press("Ctrl-A Ctrl-C Ctrl-X")
  #expect(shown.scene.clipboard.text == "")
  #expect(field.text == "open sesame")
  try shown.press("Ctrl-Left x")
  #expect(field.text == "xopen sesame")
  try shown.press("Ctrl-A Delete")
  #expect(!shown.scene.send(.key(try Key("Ctrl-Z"))))
  field[.secure] = false
  #expect(!shown.scene.send(.key(try Key("Ctrl-Z"))))
  #expect(field.text == "")
}

@Test func `dragging selects, and scrolls beyond the edge`() throws {
  let (field, shown) = try focused("abcdefghijklm", width: 6)
  try shown.press("Home")
  #expect(try shown.text == "abcdef")
  press(shown, 1)
  drag(shown, 3)
  #expect(field.selectedRange == 1..<3)
  // Where the mouse is, the text would be if the field went on.
  drag(shown, 8)
  #expect(field.selectedRange == 1..<8)
  #expect(try shown.text == "efghij")
  drag(shown, -2)
  #expect(field.selectedRange == 1..<2)
  #expect(try shown.text == "bcdefg")
  press(shown, 3, modifiers: .shift)
  #expect(field.selectedRange == 1..<4)
}

@Test func `a double click selects a word, a third everything`() throws {
  let (field, shown) = try focused("one two three", width: 20)
  press(shown, 5)
  press(shown, 5, clicks: 2)
  #expect(field.selectedRange == 4..<7)
  drag(shown, 9)
  #expect(field.selectedRange == 4..<13)
  drag(shown, 1)
  #expect(field.selectedRange == 0..<7)
  press(shown, 5, clicks: 3)
  #expect(field.selectedRange == 0..<13)
  press(shown, 5, clicks: 4)
  #expect(field.selectedRange == 5..<5)
}

@Test func `an error stands beside the text where there is one row only`() throws {
  let field = FieldView("abc")
  field[.height] = 1
  let shown = try ShownView(try ViewClass.column.make([field, LabelView("next")]), 30, 2)
  field.showBindingError("no number")
  #expect(try shown.lines == ["abc                  no number", "next"])
  // Room to type comes first.
  field[.width] = 20
  #expect(try shown.lines == ["abc                !", "next"])
  field.showBindingError(nil)
  #expect(try shown.lines == ["abc", "next"])
}

@Test func `a field of any size and with any text draws without harm`() throws {
  for text in ["", "abc", "漢字漢字", "a\nb\tc\u{1B}[31m\u{9B}", "👨‍👩‍👧🇩🇪", "\u{301}\u{200B}"] {
    for (width, height) in [(1, 1), (2, 1), (3, 2), (20, 5)] {
      let field = FieldView(text)
      let shown = try ShownView(field, width, height)
      field.focus()
      field.showBindingError("bad")
      for keys in ["Home", "Right Shift-Right", "End", "Ctrl-A", "x"] {
        try shown.press(keys)
        _ = try shown.text
        #expect(shown.scene.frame.caret.map { $0.x < width && $0.y < height } ?? true)
      }
      press(shown, 0)
      drag(shown, -3)
      drag(shown, 100)
      _ = try shown.text
    }
  }
}

@Test func `text, selection and what can be undone survive a new version`() throws {
  let (_, shown) = try focused("")
  shown.type("one two")
  try shown.press("Ctrl-Shift-Left")
  let new = FieldView("")
  try shown.scene.reconcile(with: try ViewClass.column.make([new]))
  #expect(new.text == "one two")
  #expect(new.selectedRange == 4..<7)
  #expect(shown.scene.focused === new)
  try shown.press("Ctrl-Z")
  #expect(new.text == "")
}
