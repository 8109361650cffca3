import Foundation
import Testing
import TideBindings
import TideGraph
import TideScript
import TideViews

@Suite struct `Views of scripts` {
  static let fruit = """
    fruit = model "fruit" { name = "apple", color = "red" }
    show(view.column { dataObject = fruit, padding = 1,
      view.label { id = "title", bindTo = { text = "@superview.dataObject.name", textColor = "@superview.dataObject.color" } },
      view.label { id = "count", text = function() return #fruit.name .. " letters" end },
      view.field { id = "editor", bindTo = { text = "<> @superview.dataObject.name" } },
      view.button { id = "ripen", title = "Ripen", on = { touchUpInside = function() fruit.color = "yellow" end } },
    })
    """

  @Test func `what a list of a view's gets later and may not hold is told of with its line`() throws
  {
    let runtime = try Runtime(file: "test.lua")
    try runtime.evaluate(
      """
      values, series, more = list { 1 }, list { list { 1 }, list { 2 } }, list { 1 }
      titles, labels = list { "a" }, list { "a" }
      show(view.column {
        view.chart { values = values, labels = labels, kind = "bar", height = 4 },
        view.chart { values = series, height = 2 },
        view.chart { values = { { values = more }, { values = { 1 } } }, height = 2 },
        view.tabs { titles = titles, view.label { text = "x" } },
      })
      """, as: Value.self)
    let scene = try #require(runtime.scene)
    try scene.mount(TextRenderer(size: Size(width: 30, height: 20)))
    #expect(runtime.errors.isEmpty, "\(runtime.errors)")
    for edit in [
      "values:append('x')", "series[2]:append(true)", "more:insert(1, 'y')",
      "titles:append(5)", "labels[1] = print",
    ] {
      let before = runtime.errors.count
      try runtime.evaluate("local unused\n\(edit)\nvalues[1] = 2", as: Value.self)
      try scene.commit()
      let errors = runtime.errors.dropFirst(before)
      #expect(errors.count == 1, "\(edit): \(errors)")
      #expect(errors.first?.code == .wrongType && errors.first?.location?.line == 2, "\(edit)")
    }
  }

  @Test func `TJBinder's fruit is bound both ways`() throws {
    let runtime = try Runtime(file: "test.lua")
    try runtime.evaluate(Self.fruit, as: Value.self)
    #expect(try runtime.evaluate("views.title.text", as: Value.self) == "apple")
    #expect(try runtime.evaluate("views.count.text", as: Value.self) == "5 letters")
    #expect(try runtime.evaluate("views.editor.text", as: Value.self) == "apple")
    try runtime.evaluate("views.editor.text = 'fig'", as: Value.self)
    #expect(try runtime.evaluate("fruit.name", as: Value.self) == "fig")
    #expect(try runtime.evaluate("views.title.text", as: Value.self) == "fig")
    #expect(try runtime.evaluate("views.count.text", as: Value.self) == "3 letters")
    #expect(runtime.errors.isEmpty)
    let scene = try #require(runtime.scene)
    let renderer = TextRenderer(size: Size(width: 30, height: 8))
    try scene.mount(renderer)
    #expect(renderer.text.contains("fig"))
    try scene.send(keys: "Tab a b")
    #expect(try runtime.evaluate("fruit.name", as: Value.self) == "figab")
    try scene.send(keys: "Tab Enter")
    #expect(try runtime.evaluate("views.title.textColor", as: Value.self) == "yellow")
    try scene.commit()
    #expect(renderer.text.contains("figab"))
  }

  @Test func `a list shows its rows, and follows edits`() throws {
    let runtime = try Runtime(file: "test.lua")
    try runtime.evaluate(
      """
      basket = model "basket" { fruits = list { {name = "fig"}, {name = "pear"} } }
      show(view.list { id = "rows", bindTo = { items = "basket.fruits" },
        cell = function(object, index) return view.cell { view.label { bindTo = { text = "@cell.dataObject.name" } } } end })
      """, as: Value.self)
    let scene = try #require(runtime.scene)
    let renderer = TextRenderer(size: Size(width: 10, height: 4))
    try scene.mount(renderer)
    #expect(renderer.lines.prefix(2) == ["fig", "pear"])
    try runtime.evaluate("basket.fruits:insert(2, { name = 'apple' })", as: Value.self)
    try runtime.evaluate("basket.fruits[1].name = 'date'", as: Value.self)
    try scene.commit()
    #expect(renderer.lines.prefix(3) == ["date", "apple", "pear"])
    #expect(runtime.errors.isEmpty)
  }

  @Test func `one that is read before it is shown is no error, unless it is never shown`() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(
      """
      show(view.column {
        view.label { id = "copy", text = function() return "sees " .. views.editor.text end },
        view.label { text = function() return views.missing.text end },
        view.field { id = "editor", text = "fig" },
      })
      """.utf8
    ).write(to: file)
    let runtime = try Runtime(app: file)
    var told: [String] = []
    runtime.onError = { told.append($0.message) }
    try runtime.load()
    #expect(try runtime.evaluate("views.copy.text", as: Value.self) == "sees fig")
    #expect(told == ["no shown view has the id \"missing\""])
    #expect(runtime.errors.map(\.message) == told)
    #expect(runtime.listedErrors == 1)
  }

  @Test func `one that gets its id after it was shown is found by whoever has looked for it`()
    throws
  {
    let runtime = try Runtime(file: "test.lua")
    try runtime.evaluate(
      """
      field = view.field { text = "x" }
      label = view.label { text = function()
        local found, text = pcall(function() return views.f.text end)
        return found and text or "none"
      end }
      show(view.column { label, field })
      """, as: Value.self)
    #expect(try runtime.evaluate("label.text", as: Value.self) == "none")
    try runtime.evaluate("field.id = 'f'", as: Value.self)
    #expect(try runtime.evaluate("label.text", as: Value.self) == "x")
    try runtime.evaluate("field.text = 'y'", as: Value.self)
    #expect(try runtime.evaluate("label.text", as: Value.self) == "y")
    try runtime.evaluate("field.id = 'g'", as: Value.self)
    #expect(try runtime.evaluate("label.text", as: Value.self) == "none")
    try runtime.evaluate("field.id = 'f'", as: Value.self)
    #expect(try runtime.evaluate("label.text", as: Value.self) == "y")
  }

  @Test func `a class in a path that nobody has declared is listed with the nearest one`() throws {
    let runtime = try Runtime(file: "test.lua")
    try runtime.evaluate(
      """
      label = view.label { bindTo = { text = '@superviewWithClass[colum].dataObject.name' } }
      bind('@subviewWithClass[UILabel].text -> v', label, object { v = property {} })
      """, as: Value.self)
    #expect(runtime.errors.isEmpty)
    runtime.finish()
    runtime.finish()
    #expect(runtime.errors.map(\.code) == [.unknownView])
    #expect(runtime.errors.first?.message.hasSuffix("did you mean \"column\"?") == true)
    #expect(runtime.errors.first?.location?.line == 1)
  }

  @Test func `an unknown view class, property and event name the nearest one`() throws {
    let runtime = try Runtime(file: "test.lua")
    for (script, hint) in [
      ("view.labell {}", "did you mean \"label\""),
      ("view.label { txt = 'a' }", "did you mean \"text\""),
      ("view.button { on = { touchUpInsid = function() end } }", "did you mean \"touchUpInside\""),
      ("view.label { textColor = 'reed' }", "did you mean \"red\""),
    ] {
      let error = #expect(throws: TideError.self) { try runtime.evaluate(script, as: Value.self) }
      #expect(error?.message.contains(hint) == true, "\(error?.message ?? "")")
    }
  }

  @Test func `a model that does not exist is listed with the nearest name`() throws {
    let runtime = try Runtime(file: "test.lua")
    try runtime.evaluate(
      "model 'fruit' { name = 'fig' } show(view.label { bindTo = { text = 'friut.name' } })",
      as: Value.self)
    runtime.finish()
    #expect(runtime.errors.count == 1)
    #expect(runtime.errors.first?.message.contains("did you mean \"fruit\"") == true)
  }

  @Test func `a layout that changes itself for ever is listed once, until it settles`() throws {
    let runtime = try Runtime(file: "test.lua")
    try runtime.evaluate(
      """
      local rows, loops = {}, true
      for i = 1, 100 do rows[i] = { n = i } end
      local l = view.list { items = list(rows), rowHeight = 1, height = 20,
        cell = function() return view.cell { view.label { text = "r" } } end }
      on(l, "willDisplay", function() if loops then l.height = 20 end end)
      on(l, "didEndDisplaying", function() if loops then l.height = 23 end end)
      show(view.column { view.label { text = "head" }, l })
      function change(height) l.height = height end
      function mend() loops = false end
      """, as: Value.self)
    let scene = try #require(runtime.scene)
    try scene.mount(TextRenderer(size: Size(width: 20, height: 40)))
    #expect(runtime.errors.isEmpty)
    for height in [5, 6] {
      try runtime.evaluate("change(\(height))", as: Value.self)
      try scene.commit()
      #expect(runtime.errors.map(\.code) == [.cycle])
    }
    #expect(runtime.errors.first?.message.contains("list.height changes again") == true)
    try runtime.evaluate("mend() change(7)", as: Value.self)
    try scene.commit()
    #expect(runtime.errors.isEmpty)
  }
}

@Suite struct `A script's image` {
  @Test func `is read from below the app's folder alone`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    let app = folder.appending(path: "app")
    try FileManager.default.createDirectory(at: app, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data("secret".utf8).write(to: folder.appending(path: "outside.png"))
    try Data("no png".utf8).write(to: app.appending(path: "inside.png"))
    try FileManager.default.createSymbolicLink(
      at: app.appending(path: "link.png"), withDestinationURL: folder.appending(path: "outside.png")
    )
    let runtime = try Runtime(file: app.appending(path: "app.lua").path)
    func message(_ source: String) throws -> String {
      try runtime.evaluate("i = view.image {} show(i) i.source = '\(source)'", as: Value.self)
      try #require(runtime.scene).commit()
      return try runtime.evaluate("i.error", as: String?.self) ?? ""
    }
    #expect(try message("inside.png").contains("cannot be read"))
    #expect(try message("../outside.png").contains("not below the app's folder"))
    #expect(try message("link.png").contains("not below the app's folder"))
    #expect(try message("/etc/hostname").contains("not below the app's folder"))
    #expect(try message("missing.png").contains("cannot open missing.png"))
    #expect(try message(".").contains("folder"))
  }
}

@Suite struct `A spinner` {
  @Test func `turns while it is in sight, and keeps no program running`() throws {
    var configuration = Runtime.Configuration()
    configuration.clock = VirtualClock()
    let runtime = try Runtime(file: "spin.lua", configuration: configuration)
    try runtime.evaluate(
      "s = view.spinner { id = 's' } show(view.column { s, view.label { text = 'x' } })",
      as: Value.self)
    let renderer = TextRenderer(size: Size(width: 3, height: 2))
    let scene = try #require(runtime.scene)
    try scene.mount(renderer)
    var seen = [renderer.lines[0]]
    for _ in 0..<3 {
      runtime.loop.advance(by: 0.1)
      try scene.commit()
      seen.append(renderer.lines[0])
    }
    #expect(seen == ["⠋", "⠙", "⠹", "⠸"])
    #expect(!runtime.loop.hasWork)
    try runtime.evaluate("s.isAnimating = false", as: Value.self)
    try scene.commit()
    #expect(renderer.lines[0] == "")
    let frames = renderer.frameCount
    runtime.loop.advance(by: 1)
    try scene.commit()
    #expect(renderer.frameCount <= frames + 1, "what does not move costs no frames")
  }
}
