import TideBindings
import Testing

@testable import TideCheck

/// Values that an option of a view gets only when the view is made.
@Suite struct `What a view reads once` {
  private func told(_ views: String) throws -> [String] {
    let text = """
      local fruit = model "fruit" { name = "fig", count = 2, parts = list {} }
      local fruits = list { { name = "fig" } }
      local c = controller.list { content = fruits }
      print(fruit.name, c.arrangedObjects)
      return view.column {
        \(views)
      }
      """
    return try ScriptCheck().check(text, path: "app.lua")
      .filter { $0.error.code == .readOnce }.map(\.error.message)
  }

  @Test(arguments: [
    (#"view.label { text = fruit.name:upper() }"#, "fruit.name"),
    (#"view.label { text = "n " .. #fruits }"#, "#fruits"),
    (#"view.progress { value = #fruit.parts }"#, "fruit.parts.@count"),
    (#"view.label { text = ("%d"):format(fruit.count) }"#, "fruit.count"),
    (#"view.label { text = c.selection.name }"#, "c.selection.name"),
    (#"view.label { text = "q", style = fruit.count > 1 and "error" or "muted" }"#, "fruit.count"),
    (
      #"view.list { items = fruits, cell = function(f) return view.cell { view.label { text = f.name } } end }"#,
      "dataObject.name"
    ),
    (
      #"view.table { items = fruits, columns = { { title = "N", cell = function(f) return view.label { text = f.name } end } } }"#,
      "dataObject.name"
    ),
  ])
  func `is told with what to write`(view: String, says: String) throws {
    let found = try told(view)
    #expect(found.count == 1 && found.first?.contains(says) == true, "\(found)")
  }

  @Test(arguments: [
    (#"view.label { text = fruit.name }"#, #", or bindTo = { text = "fruit.name" }"#),
    (#"view.label { text = (fruit.name) }"#, #", or bindTo = { text = "fruit.name" }"#),
    (
      #"view.label { text = "A " .. fruit.name }"#,
      #"text = function() return "A " .. fruit.name end"#
    ),
    (
      #"view.checkbox { isOn = not fruit.count }"#,
      #"isOn = function() return not fruit.count end"#
    ),
    (
      #"view.list { items = fruits, cell = function(f) return view.label { text = "A " .. f.name } end }"#,
      #"text = { path = "dataObject.name", transform = function(name) return "A " .. name end } }"#
    ),
    (
      #"view.list { items = fruits, cell = function(f) return view.label { text = f.name .. f.name } end }"#,
      #"text = { path = "dataObject", transform = function(f) return f.name .. f.name end } }"#
    ),
    (
      #"view.list { items = fruits, cell = function(f) return view.label { text = f.name .. #tostring(f) } end }"#,
      #"{ path = "dataObject", transform = function(f) return f.name .. #tostring(f) end } }"#
    ),
  ])
  func `the advice keeps the rest of an expression`(view: String, advice: String) throws {
    let found = try told(view)
    #expect(found.count == 1 && found.first?.hasSuffix(advice) == true, "\(found)")
  }

  @Test(arguments: [
    #"view.label { text = function() return "n " .. #fruits end }"#,
    #"view.label { text = "n " .. #"fig" }"#,
    #"view.list { items = fruits, cell = function(f) return view.cell { view.label { bindTo = { text = "dataObject.name" } } } end }"#,
    #"view.list { items = fruits, cell = function(f) return view.cell { view.label { text = function() return f.name end } } end }"#,
    #"view.button { title = "a", on = { touchUpInside = function() print(fruit.name:upper()) end } }"#,
  ])
  func `is not told of what follows, or never changes`(view: String) throws {
    #expect(try told(view) == [])
  }
}
