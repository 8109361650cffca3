import Testing
import TideBindings
import TideGraph
import TideViews

private func form(title: String, text: String = "") throws -> View {
  let field = FieldView(text)
  field[.key] = "name"
  return try ViewClass.column.make([LabelView(title), field, FieldView("other")])
}

@Test func `the focus, the caret and unsent text move to the new version`() throws {
  let shown = try ShownView(try form(title: "one"), 20, 4)
  try shown.press("Tab a b c Left")
  let next = try form(title: "two")
  try shown.scene.reconcile(with: next)
  #expect(try shown.lines == ["two", "abc", "other", ""])
  #expect(shown.scene.focused === next.subviews[1])
  #expect(shown.scene.frame.caret == Point(x: 2, y: 1))
}

@Test func `text that the new version has of itself stays`() throws {
  let shown = try ShownView(try form(title: "one"), 20, 4)
  try shown.press("Tab a")
  try shown.scene.reconcile(with: try form(title: "two", text: "bound"))
  #expect(try shown.lines == ["two", "bound", "other", ""])
}

@Test func `a view with an id is found wherever it went`() throws {
  let old = FieldView("old")
  old[.id] = "f"
  let shown = try ShownView(try ViewClass.column.make([old]), 20, 4)
  old.focus()
  let new = FieldView("new")
  new[.id] = "f"
  let row = try ViewClass.row.make([LabelView("> "), new])
  try shown.scene.reconcile(with: try ViewClass.column.make([LabelView("title"), row]))
  #expect(shown.scene.focused === new)
}

@Test func `a list keeps its scroll position and selection`() throws {
  let rows = ValueList((1...50).map { .object(Thing("\($0)")) })
  func make() -> ListView {
    let list = ListView(viewClass: .list)
    list[.items] = .object(rows)
    return list
  }
  let shown = try ShownView(try ViewClass.column.make([make()]), 20, 5)
  try shown.press("Tab End Up")
  _ = try shown.text
  let next = make()
  try shown.scene.reconcile(with: try ViewClass.column.make([next]))
  _ = try shown.text
  #expect(next[.selectedIndex] == 48)
  #expect(next.firstRow == 44)
  #expect(shown.scene.focused === next)
}

@Test func `another class takes nothing over`() throws {
  let shown = try ShownView(try ViewClass.column.make([FieldView("x")]), 20, 5)
  try shown.press("Tab")
  try shown.scene.reconcile(with: try ViewClass.row.make([FieldView("y")]))
  #expect(try shown.text == "y")
  #expect(shown.scene.focused == nil)
}

@Test func `the focus is not taken by a new view that asks for it at first`() throws {
  let shown = try ShownView(try form(title: "one"), 20, 4)
  try shown.press("Tab")
  for _ in 1...2 {
    let next = try form(title: "two")
    #expect(next.subviews[2].focus())
    try shown.scene.reconcile(with: next)
    _ = try shown.lines
    #expect(shown.scene.focused === next.subviews[1])
  }
  shown.scene.focus(nil)
  let last = try form(title: "three")
  last.subviews[2].focus()
  try shown.scene.reconcile(with: last)
  _ = try shown.lines
  #expect(shown.scene.focused === last.subviews[2])
}

@Test func `a window succeeds another, with what is in it`() throws {
  func window(_ title: String) throws -> View {
    let window = try ViewClass.window.make([try form(title: title)])
    window[.title] = title
    window[.padding] = 1
    return window
  }
  let shown = try ShownView(try window("one"), 20, 5)
  try shown.press("Tab a b c Left")
  let next = try window("two")
  try shown.scene.reconcile(with: next)
  #expect(try shown.lines == ["", " two", " abc", " other", ""])
  #expect(shown.scene.window === next)
  #expect(shown.scene.title == "two")
  #expect(shown.scene.frame.caret == Point(x: 3, y: 2))
}
