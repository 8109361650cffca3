import Testing
import TideBindings
import TideScript

@testable import TideWeb

/// Rows that are dragged in a page, and dropped after the app has moved them.
@Suite struct DragTests {
  private static let app = """
    desk = model "desk" { rows = list { "a", "b", "c", "d" }, moved = "" }
    show(view.column { view.list { items = desk.rows, height = 8, on = {
      move = function(_, event)
        desk.moved = desk.moved .. event.index .. ">" .. event.target .. " "
      end } } })
    """

  /// A page whose person drags rows, at any speed.
  private final class Person {
    let stage: LawStage
    let page: LawPage
    private let list: Int

    init() throws {
      stage = try LawStage(DragTests.app)
      page = try stage.open()
      try stage.settle()
      list = try page.mirror.node("list")
    }

    deinit { stage.close() }

    /// What the page sends of a row that is pressed.
    struct Press {
      let row: Int
      let cell: Int
      let message: Int
    }

    private func cell(_ row: Int) throws -> Int {
      try #require(page.mirror.row(row, of: list))
    }

    func press(_ row: Int) throws -> Press {
      Press(row: row, cell: try cell(row), message: page.heard)
    }

    func drop(_ press: Press, on row: Int) throws {
      page.act(
        "move", list, ",\(press.row),\(row),\(press.cell),\(try cell(row)),\(press.message)")
    }

    func drag(_ row: Int, to other: Int) throws { try drop(press(row), on: other) }

    /// Changes the rows; the page has not received it yet.
    func change(_ script: String) throws {
      _ = try stage.runtime.evaluate(script, as: Value.self)
      try stage.turn()
    }

    func moves() throws -> String {
      try stage.settle()
      return try stage.runtime.evaluate("desk.moved", as: String.self)
    }
  }

  @Test(arguments: [(0, 2, "1>3 "), (3, 1, "4>2 "), (1, 1, "")])
  func `a row moves to where it is dropped`(row: Int, target: Int, moves: String) throws {
    let person = try Person()
    try person.drag(row, to: target)
    #expect(try person.moves() == moves)
    #expect(person.page.notices.isEmpty)
  }

  @Test func `the row that was pressed moves, though its cell shows another row by now`() throws {
    let person = try Person()
    let press = try person.press(0)
    try person.change("desk.rows:insert(1, 'new')")
    try person.stage.settle()
    try person.drop(press, on: 3)
    #expect(try person.moves() == "2>4 ")
  }

  @Test(arguments: [
    // The rows are c, d, a, b then: a was to stand below c, and d above b.
    (0, 2, "3>2 "), (3, 1, "2>3 "),
    // They stand so already.
    (0, 3, ""), (3, 0, ""),
  ])
  func `a late drop is beside the row that was under it, on the side that was marked`(
    row: Int, target: Int, moves: String
  ) throws {
    let person = try Person()
    try person.change("desk.rows:move(3, 1) desk.rows:move(4, 2)")
    try person.drag(row, to: target)
    #expect(try person.moves() == moves)
    #expect(person.page.notices.isEmpty)
  }

  @Test(arguments: ["a", "c"])
  func `nothing moves where one of the rows is gone, and the page says so`(gone: String) throws {
    let person = try Person()
    try person.change("desk.rows:removeObject('\(gone)')")
    try person.drag(0, to: 2)
    #expect(try person.moves() == "")
    #expect(person.page.notices == [PageNotice.other.rawValue])
  }

  @Test func `no row was pressed at a message that the page was never sent`() throws {
    let person = try Person()
    let press = try person.press(0)
    try person.drop(.init(row: 0, cell: press.cell, message: 99_999), on: 2)
    #expect(try person.moves() == "")
    #expect(person.page.notices == [PageNotice.other.rawValue])
  }
}
