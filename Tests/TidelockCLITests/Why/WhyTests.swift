import TestFolders
import Testing

struct WhyTests {
  let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    folder.write(
      """
      local fruit = model "fruit" { name = "apple" }
      print("noise")
      fruit.name = "pear"
      return view.column {
        view.label { id = "title", bindTo = { text = "fruit.name | uppercase" } },
        view.field { bindTo = { text = "<> fruit.name" } },
      }
      """, to: "app.lua")
  }

  private func why(_ arguments: String...) throws -> Program.Outcome {
    try Program.run(["why"] + arguments, in: folder)
  }

  @Test func `prints the chain of causes with their lines, and nothing of the app`() throws {
    let outcome = try why("app.lua", "title.text")
    #expect(outcome.status == .exited(0))
    #expect(outcome.outputLines.count == 2)
    #expect(outcome.outputLines[0].contains("PEAR") && outcome.outputLines[0].contains("app.lua:5"))
    #expect(outcome.outputLines[1].contains("pear") && outcome.outputLines[1].contains("app.lua:3"))
    #expect(outcome.errors == "")
  }

  @Test func `tells of what keys did`() throws {
    let outcome = try why("app.lua", "fruit.name", "--keys", "Tab s")
    #expect(outcome.output.contains("pears"))
    #expect(outcome.outputLines.last?.hasSuffix("by typing into the field") == true)
  }

  @Test func `shows no value that steers the terminal`() throws {
    folder.write(
      #"""
      model "fruit" { name = "\27[2J\nx\u{9b}" }
      return view.label { text = "x" }
      """#, to: "bad.lua")
    let outcome = try why("bad.lua", "fruit.name")
    #expect(outcome.status == .exited(0))
    #expect(outcome.outputLines.allSatisfy { $0.contains("fruit.name: ") })
    #expect(!outcome.output.contains("\u{1b}") && !outcome.output.contains("\u{9b}"))
    #expect(outcome.output.contains("27[2J"))
    #expect(try !why("bad.lua", "fruit.name", "--json").output.contains("\u{9b}"))
  }

  @Test func `gives an object a line as JSON`() throws {
    let outcome = try why("app.lua", "fruit.name", "--json")
    #expect(outcome.outputLines.first?.hasPrefix("{\"path\":\"fruit.name\"") == true)
    #expect(outcome.output.contains("\"cause\":\"write\""))
  }

  private static let people = """
    local Person = class "Person" { name = "" }
    local shop = model "shop" { query = "", rows = list {
      Person { name = "Ann" }, Person { name = "Bob" }, Person { name = "Cid" } } }
    controller.list { name = "people", content = shop.rows,
      filter = function(row) return row.name:find(shop.query, 1, true) ~= nil end }
    return view.column {
      view.field { bindTo = { text = "<> shop.query" } },
      view.list { id = "names", bindTo = {
        items = "people.arrangedObjects", selectedIndex = "<> people.selectionIndex" } },
      view.label { id = "l", bindTo = { text = "people.selection.name" } },
    }
    """

  @Test func `goes through a controller by its name to what a person did`() throws {
    folder.write(Self.people, to: "people.lua")
    let selected = try why("people.lua", "l.text", "--keys", "Tab Tab Down").outputLines
    #expect(selected.first?.hasPrefix("l.text: \"Ann\" before, now \"Bob\"") == true)
    #expect(selected.contains { $0.hasPrefix("people.selectionIndex: ") }, "\(selected)")
    let press = "names.selectedIndex: 1 before, now 2 by a press of Down on the list \"names\""
    #expect(selected.last == press, "\(selected)")
    let filtered = try why("people.lua", "l.text", "--keys", "Tab C").outputLines
    #expect(filtered.contains { $0.hasPrefix("people.arrangedObjects: ") }, "\(filtered)")
    #expect(filtered.contains { $0.hasPrefix("shop.query: \"\" before, now \"C\"") })
    #expect(filtered.last?.hasSuffix("now \"C\" by typing into the field") == true, "\(filtered)")
    for line in selected + filtered {
      #expect(!line.contains("Person.name") && !line.contains("controller.list"))
    }
  }

  @Test func `lists the properties of a name that is given without one`() throws {
    folder.write(Self.people, to: "people.lua")
    let outcome = try why("people.lua", "shop")
    #expect(outcome.status == .exited(1))
    #expect(outcome.errors.contains("shop.query") && outcome.errors.contains("shop.rows"))
    #expect(try why("people.lua", "people").errors.contains("people.selectionIndex"))
  }

  @Test func `says what is wrong with a path or a file`() throws {
    let outcome = try why("app.lua", "friut.name")
    #expect(outcome.status == .exited(1))
    #expect(outcome.errors.contains("did you mean \"fruit\""))
    #expect(try why("missing.lua", "a.b").status == .exited(66))
    #expect(try why("app.lua").status == .exited(64))
  }
}
