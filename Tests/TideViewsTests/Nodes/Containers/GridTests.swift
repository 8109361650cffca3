import Testing
import TideBindings
import TideGraph
import TideViews

@Suite struct GridTests {
  private func grid(_ texts: [String]) throws -> View {
    try ViewClass.grid.make(texts.map { LabelView($0) })
  }

  private func list(_ values: Value...) -> Value { .object(ValueList(values)) }

  @Test func `columns are as wide as what is in them`() throws {
    let grid = try grid(["Name", "x", "n", "yy", "Street", "z"])
    grid[.spacing] = 1
    let lines = try ShownView(grid, 20, 5).lines
    #expect(lines == ["Name   x", "", "n      yy", "", "Street z"])
  }

  @Test func `columns may be of fixed widths and of shares`() throws {
    let grid = try grid(["a", "b", "c", "d", "e", "f"])
    grid[.columns] = list(3, "*", "2*")
    #expect(try ShownView(grid, 12, 2).lines == ["a  b  c", "d  e  f"])
    grid[.columns] = list("auto", "*", 2)
    #expect(try ShownView(grid, 12, 2).lines == ["ab        c", "de        f"])
  }

  @Test func `what grows makes its column and row grow`() throws {
    let grid = try grid(["a", "b", "c", "d"])
    grid.subviews[1][.grow] = 1
    grid.subviews[1][.align] = "end"
    #expect(try ShownView(grid, 6, 4).lines == ["a    b", "", "", "cd"])
  }

  @Test func `a hidden view leaves no hole`() throws {
    let grid = try grid(["a", "b", "c", "d"])
    let shown = try ShownView(grid, 6, 2)
    grid.subviews[1][.hidden] = true
    #expect(try shown.lines == ["ac", "d"])
  }

  @Test func `text wraps in a column of fixed width and makes its row higher`() throws {
    let grid = try grid(["one two", "b", "c", "d"])
    grid.subviews[0][.wrap] = true
    grid[.columns] = list(3, 1)
    #expect(try ShownView(grid, 6, 4).lines == ["oneb", "two", "c  d", ""])
  }

  @Test func `columns that say nothing are refused with what they may be`() throws {
    let grid = ViewClass.grid.make()
    for wrong in [
      Value.integer(0), .number(.nan), .integer(-1), "x", list(), list("2"), list(true),
    ] {
      #expect(throws: TideError.self) { try grid.set("columns", wrong) }
    }
    #expect(throws: Never.self) { try grid.set("columns", 3) }
  }

  @Test func `more columns than there is room for are cut off`() throws {
    let grid = try grid((0..<50).map { "\($0)" })
    grid[.columns] = 50
    for (width, height) in [(1, 1), (20, 5), (300, 100)] {
      _ = try ShownView(grid, width, height).text
    }
  }
}
