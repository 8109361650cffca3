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
