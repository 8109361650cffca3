import Testing

@testable import TideViews

@Suite struct ScrollBarTests {
  private func bar(_ offset: Int, total: Int = 100, shown: Int = 10, length: Int = 10) -> ScrollBar
  {
    ScrollBar(
      axis: .vertical, origin: Point(x: 5, y: 2), length: length, total: total, shown: shown,
      offset: offset)
  }

  @Test func `the thumb touches an end only where nothing is beyond it`() {
    #expect(bar(0).thumb == 0..<1)
    #expect(bar(1).thumb == 1..<2)
    #expect(bar(89).thumb == 8..<9)
    #expect(bar(90).thumb == 9..<10)
  }

  @Test func `the thumb is as long as the part in sight`() {
    #expect(bar(0, total: 20).thumb == 0..<5)
    #expect(bar(10, total: 20).thumb == 5..<10)
    #expect(bar(0, total: 11).thumb == 0..<9)
  }

  @Test func `nothing is shown of a bar when everything is in sight`() {
    #expect(!bar(0, total: 10).isNeeded)
    #expect(!bar(0, total: 10).contains(Point(x: 5, y: 2)))
    #expect(!bar(0, length: 0).isNeeded)
  }

  @Test func `a press beside the thumb goes a page towards it`() {
    #expect(bar(50).offset(pressedAt: Point(x: 5, y: 2)) == 40)
    #expect(bar(50).offset(pressedAt: Point(x: 5, y: 11)) == 60)
    #expect(bar(5).offset(pressedAt: Point(x: 5, y: 2)) == 0)
    #expect(bar(85).offset(pressedAt: Point(x: 5, y: 11)) == 90)
  }

  @Test func `the thumb is dragged from where it was taken hold of`() {
    let bar = bar(0, total: 20)
    #expect(bar.grip(at: Point(x: 5, y: 5)) == 3)
    #expect(bar.offset(draggedTo: Point(x: 9, y: 10), grip: 3) == 10)
    #expect(bar.offset(draggedTo: Point(x: 5, y: -20), grip: 3) == 0)
    #expect(bar.offset(draggedTo: Point(x: 5, y: 99), grip: 3) == 10)
    #expect(bar.grip(at: Point(x: 5, y: 9)) == nil)
  }

  @Test(arguments: [0, 1, 2, 3, 7])
  func `short bars and huge totals stay within the bar`(length: Int) {
    for total in [0, 1, 5, 1_000_000, Int(Int32.max)] {
      for offset in [-5, 0, 1, total] {
        let bar = bar(offset, total: total, shown: 3, length: length)
        #expect(bar.thumb.lowerBound >= 0)
        #expect(bar.thumb.upperBound <= max(1, length))
        #expect(bar.offset(draggedTo: Point(x: 5, y: 4), grip: 0) >= 0)
      }
    }
  }
}
