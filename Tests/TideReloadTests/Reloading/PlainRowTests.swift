import Testing
import TideScript
import TideViews

@testable import TideReload

/// Rows for which no cell is declared, so that the view makes what they show.
@Suite struct `Rows without cells` {
  private static func text(_ kind: String) -> String {
    """
    local m = model "m" { rows = list { { name = "Ann" }, { name = "Bob" } } }
    return view.column {
      view.\(kind) { id = "rows", height = 3, items = m.rows },
      view.label { text = function() return "first: " .. m.rows[1].name end },
    }
    """
  }

  @Test(arguments: ["list", "collection", "tree", "table"])
  func `follow a new version's names`(kind: String) throws {
    let app = try ReloadedApp(["app.lua": Self.text(kind)])
    #expect(try app.picture().contains("Ann"))
    let edited = Self.text(kind).replacing("Ann", with: "Zoe")
    #expect(app.save(["app.lua": edited]).error == nil)
    let picture = try app.picture()
    #expect(picture.contains("first: Zoe"))
    #expect(!picture.contains("Ann"), "\(picture)")
    #expect(Self.shows("Zoe", in: picture), "\(picture)")
    // And what is written later.
    try app.run("models.m.rows[1].name = 'Eve'")
    #expect(try Self.shows("Eve", in: app.picture()))
  }

  /// Whether a row shows a name, and not the label alone.
  private static func shows(_ name: String, in picture: String) -> Bool {
    picture.split(separator: "\n").contains { $0.contains(name) && !$0.contains("first:") }
  }

  @Test func `keep what is selected, and come back when a version is rejected`() throws {
    let app = try ReloadedApp(["app.lua": Self.text("list")])
    try app.press("Tab Down Down")
    let broken = Self.text("list").replacing("Ann", with: "Zoe") + " error('no')"
    #expect(app.save(["app.lua": broken]).error != nil)
    #expect(try app.picture().contains("Ann"))
    #expect(app.save(["app.lua": Self.text("list").replacing("Bob", with: "Ida")]).error == nil)
    #expect(try app.picture().contains("Ida"))
    #expect(try app.value("views.rows.selectedIndex") == "2")
  }
}
