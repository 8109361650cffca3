import Testing
import TideViews

@testable import TideTerminal

@Suite struct HintPaneTests {
  private func frame(_ width: Int, _ height: Int) -> Frame {
    let frame = Frame(size: Size(width: width, height: height))
    for y in 0..<height {
      frame.write(String(repeating: ".", count: width), at: Point(x: 0, y: y))
    }
    return frame
  }

  private func composed(
    _ hint: String?, _ frame: Frame, status: StatusLine? = nil, in size: Size
  ) -> [String] {
    var composition = Composition()
    composition.hint = hint
    composition.status = status
    return composition.compose(frame, areas: nil, size: size, log: []).frame.lines
  }

  @Test func `without a status line it covers the end of the last row`() {
    let size = Size(width: 12, height: 6)
    #expect(composed("a 漢", frame(12, 6), in: size).last == " a 漢 ......")
    #expect(composed("much too long", frame(12, 6), in: size).last == " much too …")
    #expect(composed(nil, frame(12, 6), in: size).last == "............")
  }

  @Test func `it stays out of the text cursor's way, and of a low terminal`() {
    let typing = frame(12, 6)
    typing.caret = Point(x: 3, y: 5)
    let lines = composed("hint", typing, in: Size(width: 12, height: 6))
    #expect(lines.first == " hint ......" && lines.last == "............")
    let low = Size(width: 12, height: 5)
    #expect(composed("hint", frame(12, 5), in: low).last == "............")
  }

  @Test func `in a status line it takes the place of good news, not of bad`() {
    let size = Size(width: 40, height: 6)
    let good = StatusLine("reloaded", kind: .good, hint: "? keys")
    #expect(
      composed("a name", frame(40, 5), status: good, in: size).last
        == " a name                          ? keys")
    #expect(composed(nil, frame(40, 5), status: good, in: size).last?.contains("✓") == true)
    let bad = StatusLine("failed", kind: .bad)
    #expect(composed("a name", frame(40, 5), status: bad, in: size).last == " ✗ failed")
  }

  @Test func `a hint that goes uncovers what was below it`() {
    var composition = Composition()
    let size = Size(width: 12, height: 6)
    composition.hint = "hint"
    _ = composition.compose(frame(12, 6), areas: nil, size: size, log: [])
    composition.hint = nil
    let after = composition.compose(frame(12, 6), areas: [], size: size, log: [])
    #expect(after.areas == nil && after.frame.lines.last == "............")
  }
}
