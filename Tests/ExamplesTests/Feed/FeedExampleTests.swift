import Testing
import TideBindings
import Tidelock

@Suite struct FeedExampleTests {
  private func running(_ count: Int? = nil) throws -> RunningExample {
    try RunningExample("feed", arguments: count.map { ["\($0)"] } ?? [])
  }

  private func held(_ app: RunningExample) throws -> Value { try app.lua("#models.sky.stars") }

  @Test func `it waits for the first page, and shows it`() throws {
    let app = try running()
    #expect(try app.text("state") == "fetching")
    #expect(try app.text("count") == "0 here")
    try expectPicture(app.picture, "feed-waiting")
    try app.advance(by: 0.3)
    #expect(try held(app) == 0)
    try app.advance(by: 0.2)
    #expect(try app.text("state") == "more below")
    #expect(try app.text("count") == "100 here")
    #expect(app.runtime.errors.isEmpty)
  }

  @Test func `a page comes when the end is near, and none before`() throws {
    let app = try running()
    try app.advance(by: 1)
    try app.press("PageDown PageDown PageDown")
    try app.advance(by: 1)
    #expect(try held(app) == 100)
    try app.press("PageDown")
    #expect(try app.text("state") == "fetching")
    // One at a time, however much is scrolled meanwhile.
    try app.press("PageDown End Up Down")
    try app.advance(by: 1)
    #expect(try held(app) == 200)
    #expect(try app.view("stars")["selectedIndex"] == 100)
    #expect(try app.text("chosen") == app.lua("models.sky.stars[100].name"))
    #expect(app.runtime.errors.isEmpty)
  }

  @Test func `the nearest and the kinds are of all that are here`() throws {
    let app = try running()
    try app.advance(by: 1)
    for pages in 2...11 {
      try app.press("End")
      try app.advance(by: 1)
      #expect(try held(app) == .integer(pages * 100))
      let differ = """
        (function()
          local rows = models.sky.stars:totable()
          table.sort(rows, function(one, other) return one.distance < other.distance end)
          for index, star in ipairs(views.nearest.items) do
            if star ~= rows[index] then return star.name end
          end
          local count = 0
          for _, each in ipairs(views.kinds.values) do count = count + each end
          return #views.nearest.items == 3 and count == #rows or count
        end)()
        """
      #expect(try app.lua(differ) == true)
    }
    #expect(try app.text("count") == "1 100 here")
    #expect(app.runtime.errors.isEmpty)
  }

  @Test func `a page that is not full is the last`() throws {
    let app = try running(250)
    try app.advance(by: 1)
    for _ in 1...4 {
      try app.press("End")
      try app.advance(by: 1)
    }
    #expect(try held(app) == 250)
    #expect(try app.text("state") == "that is all")
    try expectPicture(app.picture, "feed-end")
    try app.press("Home End")
    #expect(try app.text("state") == "that is all")
    #expect(app.runtime.errors.isEmpty)
  }

  @Test func `a reload keeps the stars, and fetches on`() throws {
    let app = try running()
    try app.advance(by: 1)
    try app.press("Down Down Down")
    let chosen = try app.text("chosen")
    try app.runtime.reload()
    try app.advance(by: 1)
    #expect(try app.text("chosen") == chosen)
    #expect(try held(app) == 100)
    try app.press("End")
    try app.advance(by: 1)
    #expect(try held(app) == 200)
    #expect(try app.lua("models.sky.stars[200].number") == 200)
    #expect(app.runtime.errors.isEmpty)
  }
}
