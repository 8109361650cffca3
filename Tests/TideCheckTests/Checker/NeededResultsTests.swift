import TideBindings
import TideScript
import TideTest
import Testing

@testable import TideCheck

/// Functions that return nothing where their result is needed, and calls in place of functions.
@Suite struct `Results that are needed` {
  private func told(_ script: String) throws -> [String] {
    let start = """
      local Trip = class "Trip" { goal = "", seats = 1 }
      local club = model "club" { title = "Club", trips = list { Trip { goal = "a" } } }
      local function save() print(club.title) end
      local function saver() return save end

      """
    return try ScriptCheck(specs: .tidelock).check(start + script, path: "app.lua")
      .filter { $0.error.code != .unusedLocal }.map(\.error.message)
  }

  @Test(arguments: [
    ("return view.label { text = function() club.title:upper() end }", "label.text needs"),
    ("return view.list { items = club.trips, cell = function() view.label {} end }", "cell needs"),
    (
      "return view.table { items = club.trips, columns = { { title = 'a', "
        + "cell = function() view.label {} end } } }", "cell needs"
    ),
    ("club.trips:filter(function(t) t.seats = 1 end)", "filter needs"),
    ("club.trips:map(function(t) print(t.seats) end)", "map needs"),
    ("local C = class 'C' { a = computed(function(self) print(self) end) }", "computed needs"),
    ("local p = property { validate = function(self, v) print(v) end }", "validate needs"),
    ("transformer('up', function(s) s:upper() end)", "a transformer needs"),
    ("transformer 'up' { transform = function(s) s:upper() end }", "transform needs"),
    ("bind(club, 'title', function() print(1) end)", "bind needs"),
    (
      "bind('club.title -> club.title', { transform = function(s) s:upper() end })",
      "a transformer needs"
    ),
    ("view.component('card', { view = function() view.label {} end })", "a component needs"),
    ("controller.list { content = club.trips, filter = function(t) print(t) end }", "filter needs"),
  ])
  func `a function that returns nothing is reported`(script: String, says: String) throws {
    let found = try told(script).filter { $0.contains("returns nothing") }
    #expect(found.count == 1 && found.first?.contains(says) == true, "\(found)")
  }

  @Test(arguments: [
    "return view.label { text = function() return club.title end }",
    "return view.label { text = function() if club.title == '' then return end return 'a' end }",
    "return view.column { function() print(1) end }", "effect(function() print(1) end)",
    "club.trips:filter(function() error('not yet') end)", "club.trips:observe(function() end)",
    "return view.button { title = 'a', on = { touchUpInside = function() save() end } }",
    "return view.list { items = club.trips, rowStyle = function(t) if t.seats > 1 then return 'error' "
      + "end end }",
  ])
  func `a function that gives one, or whose result is not needed, is not`(script: String) throws {
    #expect(try told(script) == [])
  }

  @Test(arguments: [
    (
      "return view.button { title = 'a', on = { touchUpInside = save() } }", "function() save() end"
    ),
    (
      "return view.button { title = 'a', on = { touchUpInside = print('a') } }",
      "function() print('a') end"
    ),
    ("every(1, save())", "function() save() end"),
    ("after(1, print('a'))", "function() print('a') end"),
  ])
  func `a call in place of a function is told`(script: String, says: String) throws {
    let found = try told(script)
    #expect(found.count == 1 && found.first?.contains(says) == true, "\(found)")
  }

  @Test(arguments: [
    "every(1, saver())", "every(1, save)", "after(1, unknown())",
    "return view.button { title = 'a', on = { touchUpInside = saver() } }",
  ])
  func `a call that may give a function is not`(script: String) throws {
    #expect(try told("local function unknown(f) return f end " + script) == [])
  }
}
