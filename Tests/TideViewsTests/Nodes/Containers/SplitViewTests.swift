import Testing
import TideBindings
import TideGraph
import TideViews

@Suite struct SplitViewTests {
  private func split(_ count: Int = 2) throws -> SplitView {
    let split = SplitView(viewClass: .split)
    for number in 0..<count { try split.add(LabelView("pane \(number)")) }
    return split
  }

  @Test func `panes share the width evenly`() throws {
    #expect(try ShownView(try split(), 15, 2).lines == ["pane 0 │pane 1", "       │"])
  }

  @Test func `the position is that of the first divider`() throws {
    let split = try split()
    let shown = try ShownView(split, 16, 1)
    split.position = 10
    #expect(try shown.lines == ["pane 0    │pane…"])
    split.position = 0.5
    #expect(try shown.lines == ["pane 0  │pane 1"])
    split.position = 1e300
    #expect(try shown.lines == ["pane 0      │pa…"])
    split.position = .nan
    #expect(try shown.lines == ["pane 0  │pane 1"])
  }

  @Test func `a divider is dragged and writes the position`() throws {
    let split = try split()
    let shown = try ShownView(split, 16, 1)
    shown.scene.send(.mouse(MouseEvent(.press(.left), at: Point(x: 8, y: 0))))
    shown.scene.send(.mouse(MouseEvent(.drag(.left), at: Point(x: 5, y: 0))))
    #expect(split.position == 5)
    #expect(try shown.lines == ["pane…│pane 1"])
    shown.scene.send(.mouse(MouseEvent(.drag(.left), at: Point(x: -50, y: 0))))
    #expect(split.position == 3)
    shown.scene.send(.mouse(MouseEvent(.release(.left), at: Point(x: -50, y: 0))))
  }

  @Test func `Alt and an arrow move it from inside`() throws {
    let split = SplitView(viewClass: .split)
    for title in ["a", "b"] { try split.add(ButtonView(title)) }
    let shown = try ShownView(split, 17, 1)
    try shown.press("Tab Alt-Right Alt-Right Alt-Left")
    #expect(split.position == 9)
    split[.focusable] = true
    try shown.press("Shift-Tab")
    #expect(shown.scene.focused === split)
    try shown.press("Home")
    #expect(try shown.lines == ["[a]│[ b ]"])
  }

  @Test func `panes lie below each other on the vertical axis`() throws {
    let split = try split()
    split[.axis] = "vertical"
    let shown = try ShownView(split, 8, 5)
    #expect(try shown.lines == ["pane 0", "", "────────", "pane 1", ""])
    split.position = 1
    #expect(try shown.lines == ["pane 0", "────────", "pane 1", "", ""])
  }

  @Test func `of three panes the one beside a divider gives way`() throws {
    let split = try split(3)
    let shown = try ShownView(split, 20, 1)
    #expect(try shown.lines == ["pane 0│pane 1│pane 2"])
    shown.scene.send(.mouse(MouseEvent(.press(.left), at: Point(x: 13, y: 0))))
    shown.scene.send(.mouse(MouseEvent(.drag(.left), at: Point(x: 11, y: 0))))
    #expect(try shown.lines == ["pane 0│pan…│pane 2"])
  }

  @Test func `it stands any size and any number of panes`() throws {
    for count in 0..<5 {
      for (width, height) in [(0, 0), (1, 1), (3, 2), (20, 5), (300, 100)] {
        for axis in ["horizontal", "vertical"] {
          let split = try split(count)
          split[.axis] = axis
          split[.focusable] = true
          let shown = try ShownView(split, width, height)
          try shown.press("Tab Right Left Up Down Home End Enter Right Alt-Left")
          _ = try shown.text
        }
      }
    }
  }
}
