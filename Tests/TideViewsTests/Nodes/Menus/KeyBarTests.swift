import TideBindings
import Testing

@testable import TideViews

@Suite struct `A bar of keys` {
  private let first = FieldView("")
  private let second = FieldView("")
  private let bar = KeyBarView(viewClass: .keyBar)
  private let column: View
  private let done = Done()

  private final class Done { var names: [String] = [] }

  init() throws { column = try ViewClass.column.make([first, second, bar]) }

  private func title(_ view: View, _ key: String, _ title: String) throws {
    view.onKey(try Key(key)) { [done] _, _ in
      done.names.append(title)
      return true
    }.title = title
  }

  @Test func `it follows the focus, the innermost first`() throws {
    try title(column, "F2", "New")
    try title(column, "Ctrl-S", "Save")
    try title(first, "F2", "Mine")
    let shown = try ShownView(column, 50, 3)
    #expect(try shown.lines[2] == "F2 New  Ctrl-S Save  Ctrl-C Quit")
    first.focus()
    #expect(try shown.lines[2] == "F2 Mine  Ctrl-S Save  Ctrl-C Quit")
    second.focus()
    #expect(try shown.lines[2] == "F2 New  Ctrl-S Save  Ctrl-C Quit")
    column[.enabled] = false
    #expect(try shown.lines[2] == "Ctrl-C Quit")
  }

  @Test func `new keys show at once`() throws {
    let shown = try ShownView(column, 50, 3)
    #expect(try shown.lines[2] == "Ctrl-C Quit")
    try title(column, "F2", "New")
    column.keysChanged()
    #expect(shown.scene.needsFrame)
    #expect(try shown.lines[2] == "F2 New  Ctrl-C Quit")
  }

  @Test func `what has no room is left out, but for the key that leaves`() throws {
    try title(column, "F2", "New")
    try title(column, "F3", "Open")
    try title(column, "F4", "Save")
    #expect(try ShownView(column, 60, 3).lines[2] == "F2 New  F3 Open  F4 Save  Ctrl-C Quit")
    for (width, line) in [
      (31, "F2 New  F3 Open  …  Ctrl-C Quit"),
      (22, "F2 New  …  Ctrl-C Quit"), (14, "…  Ctrl-C Quit"), (11, "Ctrl-C Quit"), (9, "Ctrl-C Q…"),
    ] {
      let shown = try ShownView(column, width, 3)
      #expect(try shown.lines[2] == line)
      column.remove()
    }
  }

  @Test func `a click runs what it names`() throws {
    try title(column, "F2", "New")
    try title(column, "F3", "Open")
    let shown = try ShownView(column, 50, 3)
    var quits = 0
    shown.scene.host.quit = { quits += 1 }
    try shown.commit()
    func click(_ x: Int, upAt up: Int? = nil) {
      shown.scene.send(.mouse(MouseEvent(.press(.left), at: Point(x: x, y: 2))))
      shown.scene.send(.mouse(MouseEvent(.release(.left), at: Point(x: up ?? x, y: 2))))
    }
    click(1)
    click(10)
    #expect(done.names == ["New", "Open"])
    click(1, upAt: 10)
    click(7)
    #expect(done.names == ["New", "Open"])
    #expect(quits == 0)
    click(20)
    #expect(quits == 1)
  }

  @Test func `the help tells of keys with titles before everything else`() throws {
    try title(column, "F2", "New")
    let shown = try ShownView(column, 50, 3)
    try shown.commit()
    #expect(
      shown.scene.keyHelp.first == KeyHelp.Section("this app", [KeyHelp("F2", "New")]))
  }
}
