import Testing
import TideBindings
import TideGraph
import TideViews

@Test func `a box has a border and a title in it`() throws {
  let box = try ViewClass.box.make([LabelView("in")])
  box[.title] = "Box"
  let shown = try ShownView(box, 10, 3)
  #expect(try shown.lines == ["┌─ Box ──┐", "│in      │", "└────────┘"])
  box[.title] = "A long title"
  #expect(try shown.lines[0] == "┌─ A l… ─┐")
  box[.padding] = 1
  shown.scene.resize(Size(width: 6, height: 5))
  #expect(try shown.lines == ["┌────┐", "│    │", "│ in │", "│    │", "└────┘"])
}

@Test func `a box is wide enough for its title`() throws {
  let box = try ViewClass.box.make([LabelView("x")])
  box[.title] = "Title"
  let row = try ViewClass.row.make([box, LabelView("|")])
  #expect(try ShownView(row, 20, 3).lines == ["┌─ Title ─┐|", "│x        │", "└─────────┘"])
}

@Test func `a box without room shows nothing and no harm`() throws {
  let box = try ViewClass.box.make([LabelView("in")])
  #expect(try ShownView(box, 2, 2).lines == ["┌┐", "└┘"])
  #expect(try ShownView(box, 1, 1).lines == [""])
}
