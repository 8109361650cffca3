import TestFolders
import Testing
import TideScript

@testable import TideReload

@Suite struct `What require gives` {
  private let app: ReloadedApp

  init() throws {
    app = try ReloadedApp([
      "app.lua": """
      local function count(...) return select("#", ...) end
      local function show(...) print(count(...), type((...)), (select(2, ...))) end
      show(require "m")
      show(require "m")
      show(require "empty")
      show(require "string")
      show(require "tidelock")
      """,
      "m.lua": "print(...) return {}",
      "empty.lua": "local _ = 1",
    ])
  }

  @Test func `is the value, and its file the first time, as in Lua`() {
    let folder = app.folder.path
    #expect(
      app.printed == [
        "m\t\(folder)/m.lua", "2\ttable\t\(folder)/m.lua", "1\ttable\tnil",
        "2\tboolean\t\(folder)/empty.lua", "1\ttable\tnil", "1\ttable\tnil",
      ])
  }

  @Test func `does not tell of the file of a module that is kept over a reload`() throws {
    let before = app.printed.count
    app.save(["app.lua": "print(select('#', require 'm'))"])
    #expect(app.printed.dropFirst(before) == ["1"])
  }
}
