import Testing
import TideBindings
import TideGraph

@testable import TideViews

@Suite struct MenuStripTests {
  /// A bar of five menus as wide as that, after some keys.
  private func bar(_ width: Int, _ keys: String = "") throws -> String {
    let menu = MenuView(viewClass: .menu)
    menu[.items] = .object(
      ValueList(
        try ["File", "Edit", "View", "Go", "Help"].map { title in
          let entry = MenuEntry()
          try entry.set("title", .string(title))
          try entry.set("items", .object(ValueList(["one", "two"])))
          return .object(entry)
        }))
    let shown = try ShownView(ViewClass.column.make([menu]), width, 6)
    _ = try shown.text
    try shown.press(keys)
    return try shown.lines[0]
  }

  @Test func `a bar that is too narrow marks that there is more`() throws {
    #expect(try bar(30) == " File  Edit  View  Go  Help")
    #expect(try bar(28) == " File  Edit  View  Go  Help")
    #expect(try bar(27) == " File  Edit  View  Go     ›")
    #expect(try bar(16) == " File  Edit    ›")
    #expect(try bar(8) == " File  ›")
    #expect(try bar(6) == " F…  ›")
  }

  @Test func `the open menu is in sight`() throws {
    #expect(try bar(16, "F10 Right Right") == "‹  Edit  View  ›")
    #expect(try bar(16, "F10 Left") == "‹  Go  Help")
    #expect(try bar(16, "F10 Right Right Escape") == " File  Edit    ›")
  }

  @Test func `a click on a mark opens the next menu behind it`() {
    let widths = [6, 6, 6, 4, 6]
    let area = Rect(x: 0, y: 0, width: 16, height: 1)
    let first = MenuStrip(widths: widths, area: area, showing: 0)
    #expect(first.title(at: Point(x: 15, y: 0)) == 2)
    #expect(first.title(at: Point(x: 8, y: 0)) == 1)
    #expect(first.title(at: Point(x: 13, y: 0)) == nil)
    let later = MenuStrip(widths: widths, area: area, showing: 2)
    #expect(later.title(at: .zero) == 0)
    #expect(later.title(at: Point(x: 15, y: 0)) == 3)
  }

  @Test(arguments: 0...40)
  func `what shows is within the bar, in order, whichever is open`(width: Int) {
    for widths in [[], [3], [6, 6, 6, 4, 6], [30, 3, 30], [2, 2, 2]] {
      let area = Rect(x: 5, y: 2, width: width, height: 1)
      for shown in 0..<max(1, widths.count) {
        let strip = MenuStrip(widths: widths, area: area, showing: shown)
        var end = area.x
        for span in strip.spans where !span.isEmpty {
          #expect(area.contains(span) && span.x >= end)
          end = span.maxX
        }
        if width > 6 && !widths.isEmpty { #expect(!strip.spans[shown].isEmpty) }
      }
    }
  }
}
