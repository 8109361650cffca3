import Testing
import TideBindings
import TideGraph

@testable import TideViews

@Suite struct ScrollViewTests {
  /// A scroll of that many lines, `1`, `2` and so on.
  private func scroll(_ count: Int, width: Int = 1) throws -> ScrollView {
    let view = ScrollView(viewClass: .scroll)
    for number in 1...count {
      try view.add(LabelView("\(number)" + String(repeating: "x", count: width - 1)))
    }
    return view
  }

  @Test func `a part shows, and a bar that says which`() throws {
    let scroll = try scroll(10)
    let shown = try ShownView(scroll, 4, 4)
    #expect(try shown.lines == ["1  ┃", "2  ┃", "3  │", "4  │"])
    scroll.scrollY = 6
    #expect(try shown.lines == ["7  │", "8  │", "9  ┃", "10 ┃"])
  }

  @Test func `while somebody scrolls a page the picture in cells keeps its own offset`() throws {
    let scroll = try scroll(10)
    let shown = try ShownView(scroll, 4, 4)
    scroll.scrollY = 2
    _ = try shown.text
    shown.scene.scrollsElsewhere = true
    // A page bounds what it shows by itself.
    scroll.follow(Point(x: 0, y: 40))
    #expect(try shown.lines.first?.first == "3")
    #expect(scroll.scrollY == 40)
    scroll.scrollY = 1_000
    #expect(try shown.lines.first?.first == "3")
    #expect(scroll.scrollY == 1_000)
    shown.scene.scrollsElsewhere = false
    scroll.follow(nil)
    #expect(try shown.lines.first?.first == "3")
    #expect(scroll.scrollY == 2)
  }

  @Test func `what is not larger needs no bar`() throws {
    #expect(try ShownView(scroll(3), 4, 4).lines == ["1", "2", "3", ""])
  }

  @Test func `an offset beyond the end is brought back`() throws {
    let scroll = try scroll(10)
    let shown = try ShownView(scroll, 4, 4)
    scroll[.scrollY] = 1e300
    #expect(try shown.lines.first == "7  │")
    #expect(scroll.scrollY == 6)
    scroll[.scrollY] = -.infinity
    #expect(try shown.lines.first == "1  ┃")
    scroll[.scrollY] = .nan
    #expect(try shown.lines.first == "1  ┃")
    #expect(scroll.scrollY == 0)
  }

  @Test func `wide content scrolls sideways`() throws {
    let view = ScrollView(viewClass: .scroll)
    try view.add(LabelView("0123456789"))
    try view.add(LabelView("abcdefghij"))
    let shown = try ShownView(view, 5, 3)
    #expect(try shown.lines == ["01234", "abcde", "━━━──"])
    try shown.press("Right")
    #expect(try shown.lines.first == "23456")
    try shown.press("End Right Right Right")
    #expect(try shown.lines == ["56789", "fghij", "──━━━"])
    #expect(view.scrollX == 5)
    shown.scene.send(.mouse(MouseEvent(.scrollSideways(-1), at: .zero)))
    #expect(view.scrollX == 3)
    shown.scene.send(.mouse(MouseEvent(.scrollSideways(3), at: .zero)))
    #expect(view.scrollX == 5)
  }

  @Test func `keys scroll when nothing inside takes them, and stop at the ends`() throws {
    let scroll = try scroll(10)
    let shown = try ShownView(scroll, 4, 4)
    try shown.expect(scroll.scrollY, after: ["Down Down": 2, "PageDown": 5, "End": 6])
    #expect(!shown.scene.send(.key(Key(.down))))
    try shown.press("Home Up")
    #expect(scroll.scrollY == 0)
  }

  @Test func `the wheel scrolls, and at the end the superview`() throws {
    let inner = try scroll(6)
    inner[.height] = 3
    inner[.grow] = 0
    let outer = ScrollView(viewClass: .scroll)
    try outer.add(inner)
    for number in 0..<5 { try outer.add(LabelView("line \(number)")) }
    let shown = try ShownView(outer, 10, 4)
    func wheel(_ rows: Int) {
      shown.scene.send(.mouse(MouseEvent(.scroll(rows), at: Point(x: 0, y: 0))))
    }
    wheel(3)
    #expect(inner.scrollY == 3)
    #expect(outer.scrollY == 0)
    wheel(3)
    #expect(outer.scrollY == 3)
    _ = try shown.text
  }

  @Test func `the bar is dragged and pressed`() throws {
    let scroll = try scroll(40)
    let shown = try ShownView(scroll, 4, 10)
    shown.click(3, 9)
    #expect(try shown.lines.first == "11 │")
    shown.scene.send(.mouse(MouseEvent(.press(.left), at: Point(x: 3, y: 3))))
    shown.scene.send(.mouse(MouseEvent(.drag(.left), at: Point(x: 0, y: 99))))
    #expect(scroll.scrollY == 30)
    shown.scene.send(.mouse(MouseEvent(.release(.left), at: Point(x: 0, y: 99))))
  }

  @Test func `a view that gets the focus is scrolled into sight`() throws {
    let scroll = ScrollView(viewClass: .scroll)
    for number in 1...10 { try scroll.add(ButtonView("\(number)")) }
    let shown = try ShownView(scroll, 8, 3)
    try shown.press("Tab Tab Tab Tab Tab")
    #expect(try shown.lines == ["[ 3 ]  │", "[ 4 ]  ┃", "[ 5 ]  │"])
    try shown.press("Tab Tab Tab Tab Tab Tab")
    #expect(try shown.lines.first == "[ 1 ]  ┃")
  }

  @Test func `Tab stops at a scroll that has nothing else to stop at`() throws {
    let scroll = try scroll(10)
    let button = ButtonView("OK")
    let shown = try ShownView(try ViewClass.column.make([scroll, button]), 8, 4)
    try shown.press("Tab")
    #expect(shown.scene.focused === scroll)
    try shown.press("Tab")
    #expect(shown.scene.focused === button)
    try scroll.add(ButtonView("in"))
    _ = try shown.text
    try shown.press("Shift-Tab")
    #expect(shown.scene.focused !== scroll)
  }

  @Test func `what is scrolled out takes no clicks`() throws {
    let scroll = ScrollView(viewClass: .scroll)
    var count = 0
    for number in 1...10 {
      let button = ButtonView("\(number)")
      try button.on(.touchUpInside) { _, _ in count = number }
      try scroll.add(button)
    }
    let shown = try ShownView(try ViewClass.column.make([scroll, LabelView("foot")]), 8, 4)
    scroll.scrollY = 4
    _ = try shown.text
    shown.click(1, 3)
    #expect(count == 0)
    shown.click(1, 0)
    #expect(count == 5)
  }

  @Test func `text that wraps is as wide as the view`() throws {
    let scroll = ScrollView(viewClass: .scroll)
    let label = LabelView("one two three four five")
    label[.wrap] = true
    try scroll.add(label)
    #expect(try ShownView(scroll, 7, 3).lines == ["one   ┃", "two   ┃", "three │"])
  }

  @Test func `it takes the room that is left, but for a size of its own`() throws {
    let scroll = try scroll(20)
    let shown = try ShownView(try ViewClass.column.make([scroll, LabelView("foot")]), 6, 8)
    #expect(try shown.lines[7] == "foot")
    scroll[.height] = 3
    #expect(try shown.lines[3] == "foot")
    scroll[.grow] = 1
    #expect(try shown.lines[7] == "foot")
  }

  @Test func `it stands any size`() throws {
    for (width, height) in [(0, 0), (1, 1), (2, 2), (3, 1), (1, 3), (300, 100)] {
      let shown = try ShownView(try scroll(20, width: 20), width, height)
      try shown.press("Tab PageDown End Home Right Left")
      _ = try shown.text
    }
  }

  @Test func `a reload keeps where one was`() throws {
    let shown = try ShownView(try scroll(10), 4, 4)
    try shown.press("Down Down")
    let new = try scroll(10)
    try shown.scene.reconcile(with: new)
    #expect(try shown.lines.first == "3  │")
  }
}
