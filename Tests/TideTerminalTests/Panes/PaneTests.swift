import Testing
import TideViews

@testable import TideTerminal

@Suite struct HelpPagesTests {
  private let sections = [
    KeyHelp.Section(
      "list", [KeyHelp("Up Down", "the row above, below"), KeyHelp("PageUp PageDown", "by pages")]),
    KeyHelp.Section("", [KeyHelp("Ctrl-C", "quit")]),
  ]

  @Test func `keys stand beside what they do`() {
    let pages = HelpPages(sections, room: Size(width: 60, height: 20)).pages
    #expect(
      pages == [
        [
          "list", "  Up Down          the row above, below", "  PageUp PageDown  by pages", "",
          "  Ctrl-C           quit",
        ]
      ])
  }

  @Test func `a narrow terminal breaks lines, a low one makes pages`() {
    let pages = HelpPages(sections, room: Size(width: 24, height: 8)).pages
    #expect(
      pages == [
        [
          "list", "  Up Down       the row", "                above,", "                below",
          "  PageUp        by pages", "  PageDown", "", "1 of 2, ? goes on",
        ], ["  Ctrl-C        quit", "", "2 of 2, ? closes"],
      ])
  }

  @Test(arguments: [(-4, -2), (0, 0), (1, 1), (16, 3), (36, 10), (76, 22), (300, 100)])
  func `every line is on some page that fits`(width: Int, height: Int) {
    let room = Size(width: width, height: height)
    let long = KeyHelp.Section("all", [KeyHelp](repeating: KeyHelp("Ctrl-A", "select"), count: 40))
    let pages = HelpPages(sections + [long], room: room).pages
    #expect(pages.joined().count { $0.contains("Ctrl-A") } == 40)
    if height > 3 { #expect(pages.allSatisfy { $0.count <= height }) }
    if width >= 24 {
      #expect(pages.joined().allSatisfy { CharacterWidth.of($0) <= width })
    }
    #expect(HelpPages([], room: room).pages.isEmpty)
  }
}

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

  @Test func `in a status line it takes the place of good news, not of bad or of what waits`() {
    let size = Size(width: 40, height: 6)
    let good = StatusLine("reloaded", kind: .good, hint: "? keys")
    #expect(
      composed("a name", frame(40, 5), status: good, in: size).last
        == " a name                          ? keys")
    #expect(composed(nil, frame(40, 5), status: good, in: size).last?.contains("✓") == true)
    let bad = StatusLine("failed", kind: .bad)
    #expect(composed("a name", frame(40, 5), status: bad, in: size).last == " ✗ failed")
    let waiting = StatusLine("saved", kind: .waiting)
    #expect(composed("a name", frame(40, 5), status: waiting, in: size).last == " … saved")
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

@Suite struct OverlayPaneTests {
  private func shown(_ lines: [String], _ size: Size) -> [String] {
    let frame = Frame(size: size)
    OverlayPane.draw(lines, on: frame)
    return frame.lines
  }

  @Test func `breaks a message between words and cuts a line of a script`() {
    let lines = [
      "app.lua:1:3: error[E0101]: the label has no property \"txet\"; did you mean \"text\"?",
      "  label.txet = 'a long line of a script that nobody breaks'",
      "        ^",
    ]
    let picture = shown(lines, Size(width: 44, height: 12)).joined(separator: "\n")
    #expect(picture.contains("│ app.lua:1:3: error[E0101]: the label     │"), "\(picture)")
    #expect(picture.contains("│   has no property \"txet\"; did you mean   │"), "\(picture)")
    #expect(picture.contains("│   \"text\"?                                │"), "\(picture)")
    #expect(picture.contains("│   label.txet = 'a long line of a script  │"), "\(picture)")
    #expect(picture.contains("│         ^                                │"), "\(picture)")
  }

  @Test(arguments: 2...30) func `shows something where there is room for little`(_ width: Int) {
    let picture = shown(["漢字漢字 aaaaaaaaaaaaaaaaaaaaaaaa b"], Size(width: width, height: 30))
    #expect(picture.contains { $0.contains { $0 != " " } })
    #expect(picture.allSatisfy { CharacterWidth.of($0) <= width })
  }
}

struct StatusLineTests {
  private func drawn(_ status: StatusLine, width: Int) -> String {
    let frame = Frame(size: Size(width: width, height: 6))
    status.draw(on: frame)
    return frame.lines[5]
  }

  @Test func `the hint gives way to the text, but for its first part`() {
    let status = StatusLine("reloaded 1 of 3 modules", kind: .good, hint: "F12 log  ? keys")
    #expect(drawn(status, width: 50) == " ✓ reloaded 1 of 3 modules        F12 log  ? keys")
    #expect(drawn(status, width: 44) == " ✓ reloaded 1 of 3 modules  F12 log  ? keys")
    #expect(drawn(status, width: 43) == " ✓ reloaded 1 of 3 modules         F12 log")
    #expect(drawn(status, width: 36) == " ✓ reloaded 1 of 3 modules  F12 log")
    #expect(drawn(status, width: 34) == " ✓ reloaded 1 of 3 modu…  F12 log")
  }

  @Test func `a text that has to be cut anyway leaves the hint`() {
    let status = StatusLine(
      "1 error: app.lua:12: the value is no number", kind: .bad, hint: "F12 log  ? keys")
    #expect(drawn(status, width: 42) == " ✗ 1 error: app.lua:12:…  F12 log  ? keys")
  }
}
