import Testing
import TideViews

@testable import TideTerminal

struct StatusLineTests {
  private func drawn(_ status: StatusLine, width: Int) -> String {
    let frame = Frame(size: Size(width: width, height: 6))
    status.draw(on: frame)
    return frame.lines[5]
  }

  @Test func `the hint gives way to the text part by part`() {
    let status = StatusLine("reloaded 1 of 3 modules", kind: .good, hint: "F12 log  ? keys")
    #expect(drawn(status, width: 50) == " ✓ reloaded 1 of 3 modules        F12 log  ? keys")
    #expect(drawn(status, width: 44) == " ✓ reloaded 1 of 3 modules  F12 log  ? keys")
    #expect(drawn(status, width: 43) == " ✓ reloaded 1 of 3 modules          ? keys")
    #expect(drawn(status, width: 35) == " ✓ reloaded 1 of 3 modules  ? keys")
    #expect(drawn(status, width: 34) == " ✓ reloaded 1 of 3 modules")
    #expect(drawn(status, width: 27) == " ✓ reloaded 1 of 3 modules")
    #expect(drawn(status, width: 24) == " ✓ reloaded 1 of 3 mod…")
  }

  @Test func `a text that has to be cut anyway leaves the hint`() {
    let status = StatusLine(
      "1 error: app.lua:12: the value is no number", kind: .bad, hint: "F12 log  ? keys")
    #expect(drawn(status, width: 42) == " ✗ 1 error: app.lua:12:…  F12 log  ? keys")
  }
}
