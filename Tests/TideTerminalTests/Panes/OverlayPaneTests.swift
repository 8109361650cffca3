import Testing
import TideViews

@testable import TideTerminal

@Suite struct OverlayPaneTests {
  @Test func `it stands in the middle, in a box`() {
    let frame = filled(width: 16, height: 7)
    frame.caret = .zero
    OverlayPane.draw(["Keys", "", "q  ends 漢"], on: frame)
    #expect(
      frame.lines == [
        "................", ".┌────────────┐.", ".│ Keys       │.", ".│            │.",
        ".│ q  ends 漢 │.", ".└────────────┘.", "................",
      ])
    #expect(frame.caret == nil)
  }

  @Test func `what has no room is cut and counted`() {
    let frame = filled(width: 12, height: 5)
    OverlayPane.draw(["a much longer line", "two", "three", "four", "five"], on: frame)
    #expect(
      frame.lines == [
        "┌──────────┐", "│ a much l │", "│ two      │", "│ … 3 more │", "└──────────┘",
      ])
  }

  @Test(arguments: [(1, 1), (4, 2), (5, 3), (2, 9), (80, 1), (0, 0)])
  func `any size is enough for something`(width: Int, height: Int) {
    let frame = filled(width: width, height: height)
    OverlayPane.draw(["Keys", "漢字", ""], on: frame)
    if width > 0 { #expect(frame.text != "") }
    OverlayPane.draw([], on: frame)
    OverlayPane.draw([""], on: frame)
  }
}
