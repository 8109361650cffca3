import TestFolders
import TideBindings
import TideScript
import TideTest
import Testing

@testable import TideCheck

/// Where the checker looks for modules: below the folder of the app's main script, as `run` does.
@Suite struct `The folder of an app` {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func write(_ text: String, to name: String) {
    var path = ""
    for part in name.split(separator: "/").dropLast() {
      path += (path.isEmpty ? "" : "/") + part
      folder.makeFolder(path)
    }
    folder.write(text, to: name)
  }

  /// The problems of files, as `line: code`, by file.
  private func problems(_ asked: String...) throws -> [String: [String]] {
    let paths = asked.isEmpty ? [folder.path] : asked.map { folder.path + "/" + $0 }
    let files = try ScriptCheck(specs: .tidelock).run(paths)
    var found: [String: [String]] = [:]
    for file in files where !file.problems.isEmpty {
      let name = String(file.path.dropFirst(folder.path.count + 1))
      found[name] = file.problems.map { "\($0.error.location?.line ?? 0): \($0.error.code.label)" }
    }
    return found
  }

  @Test func `is that of a main script that requires nothing`() throws {
    write(Self.shown, to: "app.lua")
    write("local other = require \"lib.other\"\nother.half(1)\n", to: "lib/part.lua")
    write(Self.util, to: "lib/other.lua")
    #expect(try problems("lib/part.lua").isEmpty)
    #expect(try problems().isEmpty)
  }

  private static let util = "return { half = function(n) return n / 2 end }\n"
  private static let shown = "show(view.label { text = \"\" })\n"

  @Test(arguments: ["util.lua", "util/init.lua"])
  func `holds no module of a folder above it`(name: String) throws {
    write(Self.util, to: name)
    write("require \"util\"\n" + Self.shown, to: "sub/app.lua")
    #expect(try problems() == ["sub/app.lua": ["1: E0409"]])
    #expect(try problems("sub/app.lua") == ["sub/app.lua": ["1: E0409"]])
  }

  @Test func `is not that of a module in a folder below it`() throws {
    write("require \"lib.inner\"\n" + Self.shown, to: "app.lua")
    write("require \"peer\"\nreturn {}\n", to: "lib/inner.lua")
    write(Self.util, to: "lib/peer.lua")
    #expect(try problems() == ["lib/inner.lua": ["1: E0409"]])
    #expect(try problems("lib/inner.lua") == ["lib/inner.lua": ["1: E0409"]])
    write("require \"lib.peer\"\nreturn {}\n", to: "lib/inner.lua")
    #expect(try problems().isEmpty)
    #expect(try problems("lib/inner.lua").isEmpty)
  }

  @Test func `decides between two modules of one name`() throws {
    write("require \"lib.inner\"\n" + Self.shown, to: "app.lua")
    write("print(require(\"util\").root)\nreturn {}\n", to: "lib/inner.lua")
    write("return { root = 1 }\n", to: "util.lua")
    write("return { lib = 1 }\n", to: "lib/util.lua")
    #expect(try problems("lib/inner.lua").isEmpty)
    write("print(require(\"util\").lib)\nreturn {}\n", to: "lib/inner.lua")
    #expect(try problems() == ["lib/inner.lua": ["1: E0602"]])
  }

  @Test func `may be many levels above a module`() throws {
    let deep = "a/b/c/d/e/f/g/h"
    write("require \"\(deep.replacing("/", with: ".")).m\"\n" + Self.shown, to: "app.lua")
    write("print(require(\"util\").half(1))\nreturn {}\n", to: deep + "/m.lua")
    write(Self.util, to: "util.lua")
    #expect(try problems().isEmpty)
    #expect(try problems(deep + "/m.lua").isEmpty)
  }

  @Test func `of a module that nothing requires yet is the one where its modules are`() throws {
    write(Self.shown, to: "app.lua")
    write(Self.util, to: "lib/peer.lua")
    write("require \"lib.peer\"\nreturn {}\n", to: "lib/inner.lua")
    write("require \"lib.peer\"\nmodel \"a\" { b = 1 }\nprint(models.a.b)\n", to: "lib/half.lua")
    #expect(try problems().isEmpty)
    #expect(try problems("lib/inner.lua").isEmpty)
    write("require \"lib.per\"\nreturn {}\n", to: "lib/inner.lua")
    #expect(try problems() == ["lib/inner.lua": ["1: E0409"]])
  }

  @Test func `of a script that two apps require is that of each`() throws {
    write("require \"sub.part\"\n" + Self.shown, to: "app.lua")
    write("require \"part\"\n" + Self.shown, to: "sub/app.lua")
    write("require \"util\"\nreturn {}\n", to: "sub/part.lua")
    write(Self.util, to: "util.lua")
    // The app below fails when it runs.
    #expect(try problems() == ["sub/part.lua": ["1: E0409"]])
    write(Self.util, to: "sub/util.lua")
    #expect(try problems().isEmpty)
  }

  @Test func `is no other app's, though a script above requires whatever it is given`() throws {
    write("print(require(arg[1]))\n", to: "tool.lua")
    write("print(frut)\n" + Self.shown, to: "one/app.lua")
    write("frut = 1\n" + Self.shown, to: "two/app.lua")
    #expect(try problems() == ["one/app.lua": ["1: E0601"]])
    #expect(try problems("one/app.lua") == ["one/app.lua": ["1: E0601"]])
    write("print(require(\"plug.\" .. arg[1]))\n", to: "tool.lua")
    #expect(try problems() == ["one/app.lua": ["1: E0601"]])
  }

  @Test func `holds the scripts that a computed name of its own may mean`() throws {
    write(
      "fruit = 1\nfor _, name in ipairs { \"a\", \"b\" } do require(\"pages.\" .. name) end\n"
        + Self.shown, to: "app.lua")
    write("require \"util\"\nprint(fruit)\n" + Self.shown, to: "pages/a.lua")
    write("print(fruit, frut)\n", to: "pages/b.lua")
    write("print(fruit)\n" + Self.shown, to: "other/app.lua")
    write(Self.util, to: "util.lua")
    #expect(
      try problems() == [
        "pages/b.lua": ["1: E0601"], "other/app.lua": ["1: E0601"],
      ])
    #expect(try problems("pages/a.lua").isEmpty)
  }

  @Test func `of a module that only a spec requires is the spec's project`() throws {
    write("require \"lib.inner\"\n", to: "spec/inner_spec.lua")
    write("require \"lib.peer\"\n", to: "lib/inner.lua")
    write(Self.util, to: "lib/peer.lua")
    #expect(try problems().isEmpty)
  }

  @Test(arguments: [
    ("src/calc.lua", nil), ("src/calc/calc.lua", nil), ("src/calc/init.lua", nil),
    ("lua/calc.lua", "return { _all = { lpath = './lua/?.lua' } }"),
    (
      "lua/calc/main.lua",
      "return { default = { ROOT = { 'spec' }, lpath = 'x/?;lua/?/main.lua' } }"
    ),
  ])
  func `of a module that specs require is where busted finds it`(file: String, settings: String?)
    throws
  {
    write("return { half = function(n) return n / 2 end }\n", to: file)
    if let settings { write(settings, to: ".busted") }
    write("local calc = require \"calc\"\nprint(calc.hlf(1))\n", to: "spec/calc_spec.lua")
    #expect(try problems() == ["spec/calc_spec.lua": ["2: E0602"]])
    #expect(try problems("spec/calc_spec.lua") == ["spec/calc_spec.lua": ["2: E0602"]])
  }

  @Test(arguments: [
    ("return { _all = { lpath = 'lua/?.lua' } }", false),
    ("local runs = { default = { lpath = 'lua/?.lua' } } return runs", false),
    ("return { default = { lpath = 'lua/?.lua' }, slow = { tags = 'slow' } }", true),
    ("return { _all = { verbose = true }, slow = { lpath = 'lua/?.lua' } }", true),
    ("return { _all = { verbose = true } }", true),
  ])
  func `of a module below src is another one if every run has its own places`(
    settings: String, isFound: Bool
  ) throws {
    write("return { half = function(n) return n / 2 end }\n", to: "src/calc.lua")
    write(settings, to: ".busted")
    write("local calc = require \"calc\"\nprint(calc.hlf(1))\n", to: "spec/calc_spec.lua")
    #expect(try problems() == (isFound ? ["spec/calc_spec.lua": ["2: E0602"]] : [:]))
  }

  @Test func `of a module that only specs require is where its own modules are found, too`() throws
  {
    write(
      "local util, deep = require \"util\", require \"lib.deep\"\n"
        + "return { half = function(n) return util.half(n) + deep.zero end }\n", to: "src/calc.lua")
    write("return { half = function(n) return n / 2 end }\n", to: "src/util.lua")
    write("return { zero = 0 }\n", to: "lib/deep.lua")
    write("local calc = require \"calc\"\nprint(calc.half(1))\n", to: "spec/calc_spec.lua")
    #expect(try problems().isEmpty)
    // An app looks in the folder of its main script alone.
    write("print(require(\"calc\"))\n" + Self.shown, to: "src/app.lua")
    #expect(try problems() == ["src/calc.lua": ["1: E0409"]])
  }

  @Test(arguments: [
    // The command line of busted may say where it is.
    ("opt/calc.lua", nil), ("opt/calc.lua", "local dir = 'opt'\nreturn { _all = { lpath = dir } }"),
    // The name of another module, not a typing error.
    ("calc2.lua", nil), ("calcs.lua", nil), ("calculator.lua", nil),
    ("calx.lua", "local dir = 'opt'\nreturn { _all = { lpath = dir } }"),
  ])
  func `of a module that specs require may be unknown`(file: String, settings: String?) throws {
    write(Self.util, to: file)
    if let settings { write(settings, to: ".busted") }
    write("print(require \"calc\")\n", to: "spec/calc_spec.lua")
    #expect(try problems().isEmpty)
  }

  @Test func `holds modules that are not saved yet`() throws {
    write("print(require(\"fresh\").hlf, require(\"lib.deep\").a)\n" + Self.shown, to: "app.lua")
    let workspace = EditedWorkspace(try ScriptCheck())
    let app = folder.path + "/app.lua"
    func codes() throws -> [String] {
      try workspace.snapshot(of: [app]).problems(in: app).map(\.error.code.label)
    }
    #expect(try codes() == ["E0409", "E0409"])
    workspace.edit(folder.path + "/fresh.lua", "return { half = 1 }\n")
    workspace.edit(folder.path + "/lib/deep.lua", "return { a = 1 }\n")
    #expect(try codes() == ["E0602"])
    let script = try #require(try workspace.snapshot(of: [app]).analysis(of: app))
    let names = script.completions(at: "print(require(\"".utf8.count).candidates.map(\.name)
    #expect(names.contains("fresh") && names.contains("lib.deep"))
    let found = script.definitions(at: "print(require(\"f".utf8.count)
    #expect(found.map(\.file) == [folder.path + "/fresh.lua"])
    workspace.edit(folder.path + "/fresh.lua", nil)
    #expect(try codes() == ["E0409"])
  }
}
