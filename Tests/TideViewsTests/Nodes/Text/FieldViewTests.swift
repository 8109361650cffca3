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

@Test func `typing changes the text and says so`() throws {
  let (field, shown) = try focused("ab")
  var heard: [String] = []
  try field.on(.any) { _, event in heard.append(event.name.text) }
  shown.type("cd")
  #expect(field.text == "abcd")
  #expect(heard == ["editingChanged", "editingChanged"])
  #expect(try shown.text == "abcd")
}

@Test func `typing goes on at the end of a text that came before the focus, drawn or not`() throws {
  let field = FieldView()
  let shown = try ShownView(try ViewClass.column.make([FieldView(), field]), 10, 2)
  field.text = "ab"
  field.focus()
  shown.type("c")
  #expect(field.text == "abc")
  try shown.press("Enter")
  field.text = "other"
  shown.type("s")
  #expect(field.text == "others")
  // Not while somebody edits it.
  try shown.press("Left Left")
  field.text = "another"
  shown.type("-")
  #expect(field.text == "anot-her")
}

@Test func `keys move the caret and delete`() throws {
  let (field, shown) = try focused("one two")
  try shown.press("Home x End y Left Backspace")
  #expect(field.text == "xone twy")
  try shown.press("Ctrl-Left Delete")
  #expect(field.text == "xone wy")
  try shown.press("Ctrl-W z")
  #expect(field.text == "zwy")
  try shown.press("Ctrl-K")
  #expect(field.text == "z")
  try shown.press("Ctrl-U Backspace Left Right Delete")
  #expect(field.text == "")
}

@Test func `Enter ends the editing and keeps the focus`() throws {
  let field = FieldView("")
  let other = FieldView("")
  let shown = try ShownView(try ViewClass.column.make([field, other]), 10, 3)
  var heard: [String] = []
  try field.on(.any) { _, event in
    if event.name.text.hasPrefix("editing") { heard.append(event.name.text) }
  }
  try shown.press("Tab a Enter")
  #expect(
    heard == ["editingDidBegin", "editingChanged", "editingDidEndOnExit", "editingDidEnd"])
  #expect(shown.scene.focused === field)
  try shown.press("Tab")
  #expect(heard.count == 4)
  try shown.press("Shift-Tab b Tab")
  #expect(heard.dropFirst(4) == ["editingDidBegin", "editingChanged", "editingDidEnd"])
}

@Test func `the caret shows where the next character goes`() throws {
  let (field, shown) = try focused("漢字", width: 10)
  _ = try shown.text
  #expect(shown.scene.frame.caret == Point(x: 4, y: 0))
  try shown.press("Left")
  _ = try shown.text
  #expect(shown.scene.frame.caret == Point(x: 2, y: 0))
  shown.scene.focus(nil)
  _ = try shown.text
  #expect(shown.scene.frame.caret == nil)
  field[.editable] = false
  field.focus()
  _ = try shown.text
  #expect(shown.scene.frame.caret == nil)
}

@Test func `long text scrolls so that the caret stays in sight`() throws {
  let (_, shown) = try focused("abcdefghijklm", width: 6)
  #expect(try shown.text == "ijklm")
  #expect(shown.scene.frame.caret == Point(x: 5, y: 0))
  try shown.press("Home")
  #expect(try shown.text == "abcdef")
  #expect(shown.scene.frame.caret == .zero)
  // With a character beside the caret.
  try shown.press("Right Right Right Right Right Right")
  #expect(try shown.text == "cdefgh")
  #expect(shown.scene.frame.caret == Point(x: 4, y: 0))
  try shown.press("Left Left Left Left")
  #expect(try shown.text == "bcdefg")
  #expect(shown.scene.frame.caret == Point(x: 1, y: 0))
  shown.scene.focus(nil)
  #expect(try shown.text == "abcdef")
}

@Test func `a secure field shows bullets, an empty one its placeholder`() throws {
  let (field, shown) = try focused("")
  field[.placeholder] = "password"
  #expect(try shown.text == "password")
  #expect(shown.scene.frame[0, 0].style.attributes.contains(.dim))
  field[.secure] = true
  shown.type("a漢")
  #expect(try shown.text == "••")
  #expect(shown.scene.frame.caret == Point(x: 2, y: 0))
}

@Test func `no more than maxLength characters go in`() throws {
  let (field, shown) = try focused("ab")
  field[.maxLength] = 3
  shown.type("cde")
  #expect(field.text == "abc")
  field[.maxLength] = -1
  shown.type("x")
  #expect(field.text == "abc")
}

@Test func `a field that is not editable leaves typed keys to others`() throws {
  let (field, shown) = try focused("ab")
  field[.editable] = false
  #expect(!shown.scene.send(.key(try Key("x"))))
  #expect(!shown.scene.send(.paste("x")))
  #expect(field.text == "ab")
}

@Test func `an error is shown below the text and moves what follows`() throws {
  let field = FieldView("abc")
  let shown = try ShownView(try ViewClass.column.make([field, LabelView("next")]), 12, 3)
  field.showBindingError("must be a number")
  #expect(try shown.lines == ["abc", "must be a n…", "next"])
  #expect(shown.scene.frame[0, 0].style.foreground == .ansi(1))
  field.showBindingError(nil)
  #expect(try shown.lines == ["abc", "next", ""])
}

@Test func `text written from elsewhere keeps the caret as far as it goes`() throws {
  let (field, shown) = try focused("abcdef")
  try shown.press("Left Left")
  field.text = "uvwxyz"
  shown.type("-")
  #expect(field.text == "uvwx-yz")
  field.text = "a"
  shown.type("b")
  #expect(field.text == "ab")
}

@Test func `a click puts the caret before the character below it`() throws {
  let (field, shown) = try focused("a漢bc")
  shown.click(3, 0)
  #expect(field.caretIndex == 2)
  shown.click(2, 0)
  #expect(field.caretIndex == 1)
  shown.click(9, 0)
  #expect(field.caretIndex == 4)
}

@Test func `a click at a character that is in sight scrolls nothing`() throws {
  let (field, shown) = try focused("abcdefghijklm", width: 6)
  try shown.press("Home")
  #expect(try shown.text == "abcdef")
  shown.click(5, 0)
  #expect(try shown.text == "abcdef")
  #expect(field.caretIndex == 5)
  shown.click(5, 0)
  #expect(field.caretIndex == 5)
  // A key that moves the caret has a character beside it in sight again.
  try shown.press("Right")
  #expect(try shown.text == "cdefgh")
}

@Test func `a two-way binding carries each key to the model and back`() throws {
  let thing = Thing("apple")
  let (field, shown) = try focused("")
  let label = LabelView("")
  let context = BindingContext()
  defer { context.removeAll() }
  try context.bind("name <> text", thing, field)
  try context.bind("name -> text", thing, label)
  #expect(field.text == "apple")
  try shown.press("End s")
  #expect(thing.name == "apples")
  #expect(label.text == "apples")
  thing.name = "fig"
  #expect(try shown.text == "fig")
  context.removeAll()
}
