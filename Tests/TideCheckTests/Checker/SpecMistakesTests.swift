import TestFolders
import TideBindings
import TideScript
import TideTest
import Testing

@testable import TideCheck

/// Calls of the test runner's own words.
@Suite struct `Mistakes in specs` {
  private func told(_ line: String) throws -> [String] {
    let text = """
      local save = view.button { id = "save", title = "Save" }
      local m = model "m" { n = 1, list = list {} }
      transformer("pieces", function(n) return n .. " pcs" end)
      transformer("pounds", { transform = function(n) return n * 2 end, reverse = function(n) return n / 2 end })
      describe("a spec", function()
        it("says", function()
          ui.mount(view.column { save, view.label { bindTo = { text = "m.n" } } })
          print(m.list)
          \(line)
        end)
      end)
      """
    return try ScriptCheck(specs: .tidelock).check(text, path: "a_spec.lua").map(\.error.message)
  }

  @Test(arguments: [
    ("ui.type('save')", "\"text\""), ("ui.tap()", "\"view\""), ("ui.select('save')", "\"index\""),
    ("clock.advance()", "\"seconds\""), ("spy.on({})", "\"key\""),
    ("assert.equal(2)", "\"actual\""), ("assert.are.same {}", "\"actual\""),
    ("assert.is_near(1, 2)", "\"tolerance\""), ("assert.matches('a')", "\"actual\""),
    ("assert.error_matches(print)", "\"pattern\""), ("assert.truthy()", "\"value\""),
    ("assert.bound(m)", "\"path\""), ("assert.runs(bindings(m)[1])", "\"count\""),
    ("assert.lawful()", "\"transformer\""), ("gen.list()", "\"of\""),
    ("gen.integer():map()", "\"fn\""),
  ])
  func `a missing argument is told`(line: String, name: String) throws {
    let found = try told(line)
    #expect(found.contains { $0.contains("lacks an argument, \(name)") }, "\(line): \(found)")
  }

  @Test(arguments: [
    ("assert.isnil(1)", "did you mean \"is_nil\"?"), ("assert.isTrue(true)", "\"is_true\"?"),
    ("assert.no_error_s()", "\"no_errors\"?"), ("gen.float(0, 1)", "gen has no \"float\""),
    ("gen.integer():maps(print)", "\"map\""), ("gen.string('asci')", "argument 1 of gen.string"),
    ("ui.mount(save, { sizes = '60x20' })", "no option \"sizes\""),
    ("assert.lawful('pounds', { lossi = true })", "no option \"lossi\""),
    ("ui:tap('save')", "write ui.tap(…)"),
  ])
  func `a word that the runner does not have is told`(line: String, part: String) throws {
    let found = try told(line)
    #expect(found.contains { $0.contains(part) }, "\(line): \(found)")
  }

  @Test(arguments: [
    ("ui.mount(save, '60 x 20')", "\"60 x 20\""), ("ui.mount(save, { '60,20' })", "\"60,20\""),
    ("ui.snapshot { size = '60X20' }", "\"60X20\""), ("ui.snapshot '0x20'", "\"0x20\""),
    ("ui.snapshot(save, '3000x20')", "\"3000x20\""), ("ui.tap('savee')", "\"save\""),
    ("ui.drag('save', 'svae')", "\"save\""), ("ui.press('Tab', 'Crtl-S')", "Crtl-S"),
    ("ui.tap('save', 'Shfit')", "did you mean \"Shift\"?"),
    ("assert.lawful('pound')", "\"pounds\""), ("assert.lawful('pieces')", "no reverse"),
  ])
  func `a text that names nothing is told`(line: String, part: String) throws {
    let found = try told(line)
    #expect(found.contains { $0.contains(part) }, "\(line): \(found)")
  }

  @Test(arguments: [
    ("bo.types('save', 'x')", "\"type\""), ("bo.type('svae', 'x')", "\"save\""),
    ("bo.type('save')", "\"text\""), ("bo:tap('save')", "write bo.tap(…)"),
    ("bo.press('Crtl-S')", "Crtl-S"),
  ])
  func `a mistake in what another person does is told`(line: String, part: String) throws {
    let found = try told("local bo = ui.session('Bo', 'app.lua'); " + line)
    #expect(found.contains { $0.contains(part) }, "\(line): \(found)")
  }

  @Test(arguments: [
    "ui.tap('save', nil, 3)", "clock.advance(1, 2)", "gen.integer(1, 2, 3)",
    "ui.press('Tab', 'Tab')", "ui.hover()", "ui.type('save', 5)", "ui.snapshot '60x20'",
    "ui.snapshot(save, { '60x20' })", "ui.mount(save, { size = '60x20', arg = { 1 } })",
    "ui.type(unpack { 'save', 'x' })", "assert.equal(unpack { 1, 1 })", "assert.is_nil()",
    "assert.is_not_true()", "assert.Equal(1, 1)", "assert.snapshot()", "assert.no_errors()",
    "assert.lawful('pounds', gen.number(0, 1), { lossy = true, runs = 3 })",
    "assert.lawful('number | prefix(a)')", "assert.lawful { transform = print, reverse = print }",
    "gen.string { min = 1 }", "gen.string('ascii', { max = 3 }):filter(function() return true end)",
    "gen.oneof({ gen.boolean(), gen.integer() })", "ui.tap('save', 'Ctrl-Shift')",
    "local bo = ui.session('Bo', 'app.lua', { size = '60x20' }); bo.tap('save'); bo.errors()",
    "assert.error(print)", "assert.message('why').equal(1, 1)", "ui.mount 'written.lua'",
  ])
  func `what the runner takes is not reported`(line: String) throws {
    let found = try told(line)
    #expect(found.isEmpty, "\(line): \(found)")
  }

  @Test func `a file that a spec writes, or whose name is like a spec's, is not reported`() throws {
    let folder = try ScratchFolder(folders: "spec")
    folder.write([
      "app.lua": "show(view.label { text = 'x' })",
      "spec/app_spec.lua": """
      local function write(name) local file = io.open("spec/" .. name, "w") file:close() end
      describe("x", function()
        it("one", function() io.open("spec/apps.lua", "w"):close() ui.mount "apps.lua" end)
        it("two", function() io.open("spec/aps.lua", "w"):close() ui.mount "aps.lua" end)
        it("three", function() write "ap.lua" ui.mount "ap.lua" end)
        it("four", function() ui.mount "app_spe.lua" end)
        it("five", function() ui.mount "app1.lua" end)
        it("six", function() ui.mount "aapp.lua" ui.session("Bo", "aapp.lua") end)
      end)
      """,
    ])
    let files = try ScriptCheck(specs: .tidelock).run([folder.path])
    let found = files.flatMap(\.problems).map(\.error.message)
    #expect(found.count == 2 && found.allSatisfy { $0.contains("no file aapp.lua") }, "\(found)")
  }

  @Test func `a module and a file that are nearly there are told`() throws {
    let folder = try ScratchFolder(folders: "spec")
    folder.write([
      "app.lua": "show(view.label { text = 'x' })",
      "csv.lua": "return { parse = function() end }",
      "spec/a_spec.lua": """
      local csv = require "cvs"
      local say = require "say"
      describe("x", function()
        it("y", function() ui.mount "ap.lua" print(csv, say) end)
        it("z", function() ui.mount "app" end)
        it("other", function() ui.mount "written/by/the/spec.lua" end)
      end)
      """,
    ])
    let files = try ScriptCheck(specs: .tidelock).run([folder.path])
    let found = files.flatMap(\.problems).map(\.error.message)
    #expect(found.count == 3, "\(found)")
    #expect(found.contains { $0.contains("\"cvs\"") && $0.contains("\"csv\"") })
    #expect(found.contains { $0.contains("no file ap.lua; did you mean \"app.lua\"?") })
    #expect(found.contains { $0.contains("no file app; did you mean \"app.lua\"?") })
  }
}
