import TestFolders
import TideBindings
import TideCheck
import TideScript
import TideStore
import TideTest
import TideViews
import Testing

/// What somebody gets wrong who writes a first app, in apps of one module and of several.
@Suite struct `The first mistakes of a newcomer` {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// The problems of an app, as `file:line:column code`.
  private func found(_ files: [String: String], in paths: [String] = []) throws -> [String] {
    for (name, text) in files { folder.write(text, to: name) }
    let asked = paths.isEmpty ? [folder.path] : paths.map { folder.path + "/" + $0 }
    return try ScriptCheck(specs: .tidelock, sql: LiteralSQL()).run(asked).flatMap { file in
      file.problems.map { problem in
        let location = problem.error.location
        let name = file.path.split(separator: "/").last.map(String.init) ?? ""
        return "\(name):\(location?.line ?? 0):\(location?.column ?? 0) \(problem.error.code.name)"
      }
    }
  }

  // MARK: Models

  @Test func `a model that is assigned has the code and place of the running app's error`() throws {
    let text = "local rows = list {}\nmodels.desk = { rows = rows }\nreturn view.spacer {}\n"
    #expect(try found(["app.lua": text]) == ["app.lua:2:8 readOnly"])
    #expect(throws: TideError.self) { try Runtime(file: folder.path + "/app.lua").load() }
  }

  @Test func `a shared model with a property "sync" is found before the app runs`() throws {
    let text =
      "local room = shared(\"room\", { title = \"\", sync = 1 })\nprint(room.title)\n"
      + "return view.spacer {}\n"
    #expect(try found(["app.lua": text]) == ["app.lua:1:43 badArgument"])
    #expect(throws: TideError.self) { try Runtime(file: folder.path + "/app.lua").load() }
  }

  @Test func `a misspelt property of the viewer is found where it is written`() throws {
    let text = "viewer.nam = \"ann\"\nreturn view.spacer {}\n"
    #expect(try found(["app.lua": text]) == ["app.lua:1:8 unknownProperty"])
  }

  // MARK: Views

  @Test(arguments: [
    "fruit.name", "models.fruit.name", "\"Name: \" .. fruit.name", "tostring(fruit.count)",
    "string.format('%d', fruit.count)", "(fruit.name)",
  ])
  func `a property of a model that an option reads shows once`(value: String) throws {
    let files = [
      "app.lua": """
      local fruit = model "fruit" { name = "apple", count = 2 }
      print(fruit.name)
      return view.label { text = \(value) }
      """
    ]
    let all = try found(files)
    #expect(all.count == 1 && all.first?.hasSuffix(" readOnce") == true, "\(all)")
    #expect(all.first?.hasPrefix("app.lua:3:") == true)
  }

  @Test func `what follows its model, or is read when something happens, is no mistake`() throws {
    let files = [
      "app.lua": """
      local fruit = model "fruit" {
        name = "apple", rows = list { { name = "x" } }, say = function(self) return self.name end,
      }
      local limits = { most = 3 }
      local people = controller.list { content = fruit.rows }
      local function card(row) return view.label { text = fruit.name .. row.name } end
      return view.column {
        view.label { text = function() return fruit.name end, bindTo = { tooltip = "fruit.name" } },
        view.list { items = fruit.rows, cell = card },
        view.list { items = people.arrangedObjects },
        view.label { text = "most " .. limits.most, width = limits.most },
        view.button { title = "go", on = { touchUpInside = function()
          show(view.label { text = fruit.name })
        end } },
      }
      """
    ]
    #expect(try found(files) == [])
  }

  @Test func `views that are made and none returned are told of at the outermost`() throws {
    let files = [
      "app.lua": """
      local title = view.label { text = "x" }
      view.column {
        title, view.label { text = "y" },
      }
      """
    ]
    #expect(try found(files) == ["app.lua:2:1 nothingShown"])
    #expect(
      try found(["app.lua": "local window = view.column { view.label { text = \"x\" } }\n"])
        == ["app.lua:1:16 nothingShown"])
  }

  @Test(arguments: [
    ["app.lua": "show(view.label { text = 'x' })"],
    ["app.lua": "local made = view.label { text = 'x' } if arg[1] then return made end"],
    ["app.lua": "require 'parts' view.label { text = 'x' }", "parts.lua": "show(view.label {})"],
    ["app.lua": "require 'parts' return view.label {}", "parts.lua": "view.label { text = 'x' }"],
    ["app.lua": "for i = 1, 2 do view.label { text = 'x' } end"],
  ])
  func `scripts that show views, or that others require, are no mistakes`(
    files: [String: String]
  ) throws {
    #expect(try found(files).filter { $0.hasSuffix("nothingShown") } == [])
  }

  // MARK: Models

  @Test func `model for models has the code and the place of running it`() throws {
    let files = [
      "app.lua": """
      model "fruit" { name = "apple" }
      return view.label { text = function() return model.fruit.name end }
      """
    ]
    #expect(try found(files) == ["app.lua:2:46 scriptError"])
    let runtime = try Runtime(file: folder.path + "/app.lua")
    try runtime.load()
    runtime.settle()
    try runtime.scene?.commit()
    let listed = try #require(runtime.errors.first)
    let diagnostic = Diagnostic(listed, in: folder.path + "/app.lua")
    #expect(listed.code == .scriptError)
    #expect(diagnostic.line == 2 && diagnostic.column == 46)
  }

  @Test func `a model of two modules has the code and the place of running it`() throws {
    let files = [
      "app.lua": """
      local one = require "one"
      local fruit = model "fruit" { name = "apple" }
      return view.label { text = function() return fruit.name .. one.name end }
      """,
      "one.lua": "model \"fruit\" { name = \"pear\" }\nreturn { name = models.fruit.name }",
    ]
    let all = try found(files)
    #expect(all.count == 1, "\(all)")
    let runtime = try Runtime(file: folder.path + "/app.lua")
    let error = try #require(throws: TideError.self) { try runtime.load() }
    let diagnostic = Diagnostic(error, in: folder.path + "/app.lua")
    #expect(
      all.first
        == "app.lua:\(diagnostic.line ?? 0):\(diagnostic.column ?? 0) \(error.code.name)")
  }

  @Test func `two apps that share a library may declare models of one name`() throws {
    let main = """
      local library = require "library"
      local fruit = model "fruit" { name = library.name }
      return view.label { text = function() return fruit.name end }
      """
    let files = [
      "one.lua": main, "two.lua": main,
      "library.lua": "return { name = \"apple\" }",
    ]
    #expect(try found(files) == [])
  }

  // MARK: Rows

  private static let shop = """
    local shop = model "shop" { rows = list {}, query = "" }
    require "fill"
    local people = controller.list { name = "people", content = shop.rows }
    """
  private static let fill = """
    local Person = class "Person" { name = "", rank = 0, isUrgent = false }
    models.shop.rows:append(Person { name = "Ann" })
    for i = 1, 3 do models.shop.rows:append(Person { name = "n" .. i, rank = i }) end
    """

  /// The problems of an app whose rows another module adds.
  private func rows(_ view: String, before: String = "") throws -> [String] {
    try found([
      "app.lua": "\(Self.shop)\n\(before)\nreturn view.column { \(view) }", "fill.lua": Self.fill,
    ]).filter { $0.hasSuffix("unknownProperty") }
  }

  @Test(arguments: [
    "view.table { items = people.arrangedObjects, columns = { \"naem\" } }",
    "view.table { items = shop.rows, columns = { { title = \"x\", path = \"rnak\" } } }",
    "view.list { items = shop.rows, rowStyle = function(row) "
      + "return row.isurgent and \"error\" end }",
    "view.list { items = shop.rows, cell = function(row) return view.label { "
      + "text = function() return row.naem end } end }",
    "view.list { items = shop.rows, cell = function() return view.label { "
      + "bindTo = { text = \"@superview.dataObject.naem\" } } end }",
    "view.list { bindTo = { items = \"people.arrangedObjects\" }, cell = function() "
      + "return view.row { view.label { bindTo = { text = \"dataObject.naem\" } } } end }",
    "view.table { items = shop.rows, columns = { { title = \"x\", cell = function() "
      + "return view.label { bindTo = { text = \"@cell.dataObject.naem\" } } end } } }",
    "view.label { bindTo = { text = \"people.selection.naem\" } }",
  ])
  func `a misspelt property of rows that another module adds is found`(view: String) throws {
    #expect(try rows(view).count == 1)
    // Spelled right it is none.
    let right = view.replacing("naem", with: "name").replacing("rnak", with: "rank")
      .replacing("isurgent", with: "isUrgent")
    #expect(try rows(right) == [])
  }

  @Test(arguments: [
    "people.filter = function(row) return row.naem ~= \"\" end",
    "function people.filter(row) return row.naem ~= shop.query end",
    "local other = controller.list { content = shop.rows, filter = function(row) "
      + "return row.naem ~= \"\" end } print(other)",
  ])
  func `a misspelt property in a controller's own filter is found`(filter: String) throws {
    #expect(try rows("view.list { items = people.arrangedObjects }", before: filter).count == 1)
  }

  @Test(arguments: [
    // Rows whose fields are not known.
    "shop.rows:append(json.decode(arg[1]))", "shop.rows = json.decode(arg[1])",
    "local function put(rows, text) rows:append(json.decode(text)) end put(shop.rows, arg[1])",
    "shop.rows:set(json.decode(arg[1]))",
  ])
  func `rows that may be others are left alone`(addition: String) throws {
    let view =
      "view.list { items = shop.rows, cell = function(row) return view.label { "
      + "text = function() return row.naem end } end }"
    #expect(try rows(view, before: addition) == [])
  }
}
