import Testing
import TideViews

@testable import TideTerminal

@Suite struct LogPaneTests {
  @Test func `it covers the bottom third and shows the newest lines`() {
    let frame = filled(width: 24, height: 12)
    LogPane.draw((0..<50).map { "line \($0)" }, on: frame)
    #expect(frame.lines[7] == String(repeating: ".", count: 24))
    #expect(frame.lines[8] == " Log (F12 closes it)")
    #expect(Array(frame.lines[9...]) == ["line 47", "line 48", "line 49"])
  }

  @Test func `the heading says which keys work in it`() {
    let frame = filled(width: 40, height: 12)
    LogPane.draw([], hint: "r reloads", on: frame)
    #expect(frame.lines[8] == " Log (F12 closes it, r reloads)")
  }

  @Test func `few lines stand at the top, long ones are broken`() {
    let frame = filled(width: 6, height: 15)
    LogPane.draw(["ab", "0123456789", "漢字漢字"], on: frame)
    #expect(Array(frame.lines[11...]) == ["012345", "6789", "漢字漢", "字"])
    LogPane.draw(["ab"], on: frame)
    #expect(Array(frame.lines[11...]) == ["ab", "", "", ""])
  }

  @Test func `a caret below it is hidden, one above stays`() {
    let frame = filled(width: 10, height: 9)
    frame.caret = Point(x: 0, y: 8)
    LogPane.draw([], on: frame)
    #expect(frame.caret == nil)
    frame.caret = Point(x: 0, y: 5)
    LogPane.draw([], on: frame)
    #expect(frame.caret == Point(x: 0, y: 5))
  }

  @Test func `small frames have the newest line only`() {
    for (width, height) in [(1, 1), (2, 2), (5, 3), (1, 30)] {
      let frame = filled(width: width, height: height)
      LogPane.draw(["old", "new 漢"], on: frame)
      LogPane.draw(["\u{1b}[31m\t\u{7f}"], on: frame)
    }
    let frame = filled(width: 5, height: 3)
    LogPane.draw(["old", "new"], on: frame)
    #expect(frame.lines == [".....", ".....", "new"])
    LogPane.draw(["anything"], on: Frame(size: .zero))
  }
}

/// A frame of dots.
func filled(width: Int, height: Int) -> Frame {
  let frame = Frame(size: Size(width: width, height: height))
  for y in 0..<height {
    frame.write(String(repeating: ".", count: width), at: Point(x: 0, y: y))
  }
  return frame
}
