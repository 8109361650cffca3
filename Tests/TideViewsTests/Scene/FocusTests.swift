import Testing
import TideBindings
import TideGraph
import TideViews

private func form() throws -> (root: View, a: FieldView, b: FieldView, button: ButtonView) {
  let a = FieldView("a")
  let b = FieldView("b")
  let button = ButtonView("OK")
  let root = try ViewClass.column.make(
    [LabelView("title"), try ViewClass.row.make([a, b]), button])
  return (root, a, b, button)
}

@Test func `nothing has the focus at first and Tab gives it to the first`() throws {
  let form = try form()
  let shown = try ShownView(form.root, 40, 5)
  #expect(shown.scene.focused == nil)
  try shown.press("Tab")
  #expect(shown.scene.focused === form.a)
  #expect(form.a.isFocused)
  try shown.press("Tab Tab")
  #expect(shown.scene.focused === form.button)
  try shown.press("Tab")
  #expect(shown.scene.focused === form.a)
  try shown.press("Shift-Tab")
  #expect(shown.scene.focused === form.button)
}

@Test func `Shift-Tab begins at the last`() throws {
  let form = try form()
  let shown = try ShownView(form.root, 40, 5)
  try shown.press("Shift-Tab")
  #expect(shown.scene.focused === form.button)
}

@Test func `hidden and disabled views and what is inside them are left out`() throws {
  let form = try form()
  let shown = try ShownView(form.root, 40, 5)
  form.a[.hidden] = true
  form.b[.enabled] = false
  try shown.press("Tab")
  #expect(shown.scene.focused === form.button)
  form.a[.hidden] = false
  form.root.subviews[1][.hidden] = true
  #expect(!form.a.focus())
  #expect(shown.scene.focusOrder.map { $0["class"] } == ["button"])
}

@Test func `Tab with nothing to focus is taken by nobody`() throws {
  let shown = try ShownView(LabelView("x"), 5, 1)
  #expect(!shown.scene.send(.key(Key(.tab))))
}

@Test func `focus and blur are sent, blur first`() throws {
  let form = try form()
  let shown = try ShownView(form.root, 40, 5)
  var heard: [String] = []
  for (name, view) in [("a", form.a as View), ("b", form.b)] {
    try view.on(.focus) { _, _ in heard.append("\(name) focus") }
    try view.on(.blur) { _, _ in heard.append("\(name) blur") }
  }
  form.a.focus()
  form.a.focus()
  form.b.focus()
  shown.scene.focus(nil)
  #expect(heard == ["a focus", "a blur", "b focus", "b blur"])
}

@Test func `the focus stays when the tree changes around it`() throws {
  let form = try form()
  let shown = try ShownView(form.root, 40, 5)
  form.b.focus()
  try form.root.add(FieldView("new"), at: 0)
  try form.b.move(to: 0)
  form.a.remove()
  _ = try shown.text
  #expect(shown.scene.focused === form.b)
  let other = try ViewClass.column.make([])
  try form.root.add(other)
  try other.add(form.b)
  _ = try shown.text
  #expect(shown.scene.focused === form.b)
}

@Test func `a view that goes or is hidden passes the focus on with the next frame`() throws {
  let form = try form()
  let shown = try ShownView(form.root, 40, 5)
  var blurs = 0
  try form.b.on(.blur) { _, _ in blurs += 1 }
  form.b.focus()
  form.b.remove()
  _ = try shown.text
  #expect(shown.scene.focused === form.button)
  #expect(!form.b.isFocused)
  form.a.focus()
  form.a[.hidden] = true
  _ = try shown.text
  #expect(shown.scene.focused === form.button)
  #expect(blurs == 1)
}

@Test func `the last one passes the focus back, and the only one to nobody`() throws {
  let form = try form()
  let shown = try ShownView(form.root, 40, 5)
  form.button.focus()
  form.button[.enabled] = false
  _ = try shown.text
  #expect(shown.scene.focused === form.b)
  form.root.subviews[1].remove()
  _ = try shown.text
  #expect(shown.scene.focused == nil)
}

@Test func `a whole part that goes passes the focus to what follows it`() throws {
  let form = try form()
  let shown = try ShownView(form.root, 40, 5)
  form.b.focus()
  form.root.subviews[1].remove()
  _ = try shown.text
  #expect(shown.scene.focused === form.button)
}

@Test func `another version of the app begins without a focus`() throws {
  let form = try form()
  let shown = try ShownView(form.root, 40, 5)
  form.b.focus()
  try shown.scene.show(ButtonView("other"))
  _ = try shown.text
  #expect(shown.scene.focused == nil)
}

@Test func `the hint is the tooltip of the focused view or of one above it`() throws {
  let form = try form()
  let shown = try ShownView(form.root, 40, 5)
  form.root[.tooltip] = "a form"
  form.b[.tooltip] = "the second"
  #expect(shown.scene.hint == nil)
  form.a.focus()
  #expect(shown.scene.hint == "a form")
  form.b.focus()
  #expect(shown.scene.hint == "the second")
}

@Test func `a view that asks for the focus before it is shown gets it then`() throws {
  let form = try form()
  form.b.focus()
  let shown = try ShownView(form.root, 40, 5)
  #expect(shown.scene.focused === form.b)
  #expect(shown.renderer.lastChanges?.frame.caret != nil)
}

@Test func `a handler of blur may move the focus on`() throws {
  let form = try form()
  let shown = try ShownView(form.root, 40, 5)
  try form.a.on(.blur) { _, _ in form.button.focus() }
  form.a.focus()
  form.b.focus()
  #expect(shown.scene.focused === form.button)
  #expect(!form.b.isFocused)
  #expect(form.button.isFocused)
}
