import OwnThread
import Testing
import TideBindings

@testable import TideViews

@Suite struct FindBarTests {
  private func shown(_ count: Int) throws -> (ShownView, ListView) {
    let list = ListView(viewClass: .list)
    list[.items] = .object(ValueList((1...count).map { .string("row \($0)") }))
    let shown = try ShownView(try ViewClass.column.make([list]), 60, 12)
    list.focus()
    return (shown, list)
  }

  @Test func `a text is found in rows out of sight, from the present one on and around the end`()
    async throws
  {
    // On a thread whose graph no interpreter of another test has given a clock: the bar would wait
    // for it between slices of rows.
    try await onOwnThread {
      let (shown, list) = try shown(3_000)
      try shown.press("Ctrl-F")
      try shown.commit()
      try shown.press("W Space 2 9 9 9")
      #expect(list[.selectedIndex] == 2_998)
      try shown.press("Backspace Backspace Enter")
      #expect(list[.selectedIndex] == 28)
    }
  }

  @Test func `a bar that outlives its scene is in no window, and nor is what it shows`() throws {
    let bar = try {
      let (shown, _) = try shown(3)
      try shown.press("Ctrl-F")
      try shown.commit()
      return try #require(shown.scene.presented.first)
    }()
    var walk = TreeWalk(bar)
    while let view = walk.next() {
      #expect(view.scene == nil)
      #expect(try view.value(of: "window") == .null)
    }
  }

  @Test func `what is nowhere changes nothing, and Escape gives the focus back`() throws {
    let (shown, list) = try shown(20)
    list[.selectedIndex] = 3
    try shown.press("Ctrl-F")
    try shown.commit()
    try shown.press("x")
    #expect(list[.selectedIndex] == 3)
    try shown.press("Escape")
    try shown.commit()
    #expect(shown.scene.presented.isEmpty)
    #expect(shown.scene.focused === list)
  }
}
