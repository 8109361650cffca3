import Foundation
import Testing
import TideBindings
import TideGraph
import TideReload
import TideScript
import TideViews

@Suite final class `Views of a reloaded app` {
  private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
  private let runtime: Runtime
  private let renderer = TextRenderer(size: Size(width: 20, height: 6))

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    runtime = try Runtime(app: folder.appending(path: "app.lua"))
    try write("one")
    try runtime.load()
    try #require(runtime.scene).mount(renderer)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func write(_ title: String, end: String = "") throws {
    let source = """
      local m = model "m" { rows = list {}, note = "" }
      if #m.rows == 0 then
        for number = 1, 100 do m.rows:append(object { number = number }) end
      end
      show(view.column { id = "all",
        view.label { text = "\(title)" },
        view.field { id = "first" },
        view.field { id = "note", bindTo = { text = "<> m.note" } },
        view.list { id = "rows", rowHeight = 1, bindTo = { items = "m.rows" },
          cell = function()
            return view.cell { view.label { bindTo = { text = "dataObject.number" } } }
          end },
      })
      views.first:focus()
      found = views.all.id
      \(end)
      """
    try Data(source.utf8).write(to: folder.appending(path: "app.lua"))
  }

  private func press(_ keys: String) throws -> String {
    let scene = try #require(runtime.scene)
    try scene.send(keys: keys)
    try scene.commit()
    return renderer.text
  }

  private var shown: String {
    get throws { try press("") }
  }

  @Test func `keep the focus, the caret, the rows in sight and the selection`() throws {
    _ = try press("a b Tab x y z Left")
    let scene = try #require(runtime.scene)
    scene.window.find("rows")?.focus()
    _ = try press("End Up Up Up Up")
    scene.window.find("note")?.focus()
    let before = try shown
    #expect(before.hasPrefix("one\nab"))
    #expect(before.contains("\n94 "))
    try write("two")
    try runtime.reload()
    #expect(try shown == before.replacing("one", with: "two"))
    #expect(scene.focused === scene.window.find("note"))
    #expect(scene.window.find("rows")?["selectedIndex"] == 96)
    _ = try press("-")
    #expect(try runtime.evaluate("models.m.note", as: Value.self) == "xy-z")
    #expect(runtime.errors.isEmpty)
  }

  @Test func `are not seen when the new version fails`() throws {
    _ = try press("Tab x y Left")
    let scene = try #require(runtime.scene)
    let root = scene.root
    try write("two", end: "error('broken')")
    #expect(throws: TideError.self) { try runtime.reload() }
    #expect(scene.root === root)
    #expect(try shown.hasPrefix("one"))
    #expect(scene.focused === scene.window.find("note"))
    _ = try press("-")
    #expect(try runtime.evaluate("models.m.note", as: Value.self) == "x-y")
    #expect(try runtime.evaluate("views.note.text", as: Value.self) == "x-y")
    try write("three")
    try runtime.reload()
    #expect(try shown.hasPrefix("three"))
    #expect(scene.focused === scene.window.find("note"))
    #expect(runtime.errors.isEmpty)
  }

  @Test func `are found by their ids before they are seen`() throws {
    try write("two", end: "views.first.text = 'new' found = views.all.subviews[1].text")
    try runtime.reload()
    #expect(try runtime.evaluate("found", as: Value.self) == "two")
    #expect(try shown.hasPrefix("two\nnew"))
    #expect(runtime.errors.isEmpty)
  }
}
