import Testing
import TideBindings
import TideViews

@Test func `a shown view's snapshot is its part of the picture`() throws {
  let inner = try ViewClass.column.make([LabelView("b"), LabelView("漢")])
  let root = try ViewClass.row.make([LabelView("a"), inner, LabelView("c")])
  let shown = try ShownView(root, 10, 3)
  #expect(inner.snapshot() == "b\n漢")
  #expect(root.snapshot() == "ab c\n 漢")
  #expect(shown.scene.window.snapshot() == "ab c\n 漢")
  root.subviews[0].remove()
  #expect(root.snapshot() == "b c\n漢")
}

@Test func `a view that is not shown is laid out by itself`() throws {
  let column = try ViewClass.column.make([LabelView("one two")])
  #expect(column.snapshot() == "one two")
  #expect(column.snapshot(size: Size(width: 4, height: 1)) == "one…")
  #expect(column.window == nil)
}

@Test func `a snapshot in another size leaves the picture as it was`() throws {
  let shown = try ShownView(LabelView("one two"), 20, 1)
  #expect(shown.scene.window.snapshot(size: Size(width: 4, height: 1)) == "one…")
  #expect(try shown.text == "one two")
}

@Test func `the text renderer counts frames and keeps the last`() throws {
  let label = LabelView("a")
  let scene = try Scene(root: label)
  let renderer = TextRenderer(size: Size(width: 3, height: 2))
  try scene.mount(renderer)
  #expect(renderer.isMounted)
  #expect(scene.size == Size(width: 3, height: 2))
  #expect(renderer.lines == ["a", ""])
  label.text = "abcdef"
  try scene.commit()
  #expect(renderer.text == "ab…")
  #expect(renderer.frameCount == 2)
  scene.unmount()
  #expect(!renderer.isMounted)
}
