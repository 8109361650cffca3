import TestFolders
import FoundationEssentials
import Glibc
import Testing

@Suite struct `Checking from the command line` {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func check(_ arguments: String...) throws -> Program.Outcome {
    try Program.run(["check"] + arguments, in: folder)
  }

  @Test func `what is right ends with 0`() throws {
    folder.write("local a = model 'a' { b = 1 } print(a.b)", to: "app.lua")
    let outcome = try check("app.lua")
    #expect(outcome.status == .exited(0))
    #expect(outcome.output == "Checked 1 file: nothing found.\n")
    #expect(outcome.errors == "")
  }

  @Test func `a warning ends with 1`() throws {
    folder.write("model 'lonely' { b = 1 }", to: "app.lua")
    let outcome = try check("app.lua")
    #expect(outcome.status == .exited(1))
    #expect(outcome.errors.hasPrefix("app.lua:1:8: warning[W0604]: "))
    #expect(outcome.output == "Checked 1 file: 1 warning.\n")
  }

  @Test func `an error ends with 2, with its line and a caret`() throws {
    folder.write("local x = 1\nprint(x, y)\n", to: "app.lua")
    let outcome = try check("app.lua")
    #expect(outcome.status == .exited(2))
    #expect(
      outcome.errors == """
        app.lua:2:10: error[E0601]: nothing declares or assigns "y"
          print(x, y)
                   ^

        """)
  }

  @Test func `nothing is run`() throws {
    folder.write("print('ran') while true do end", to: "app.lua")
    let outcome = try check("app.lua")
    #expect(outcome.status == .exited(0))
    #expect(!outcome.output.contains("ran"))
  }

  @Test func `without a path it is the current folder, hidden ones left out`() throws {
    folder.makeFolder("lib")
    folder.makeFolder(".hidden")
    folder.write([
      ".hidden/x.lua": "print(a)", "lib/y.lua": "print(b)", "z.lua": "print(c)",
      "notes.txt": "not Lua",
    ])
    let outcome = try check()
    #expect(outcome.status == .exited(2))
    #expect(outcome.errorLines.filter { $0.contains("E0601") }.count == 2)
    #expect(outcome.errors.contains("lib/y.lua:1:7:"))
    #expect(outcome.errors.contains("z.lua:1:7:"))
  }

  @Test func `scripts that require each other know each other's names`() throws {
    folder.makeFolder("lib")
    folder.write(
      "require 'lib.models' print(common) bind 'fruit.name -> fruit.name | up' return view.card {}",
      to: "app.lua")
    folder.write(
      """
      common = 1
      model "fruit" { name = "fig" }
      transformer("up", function(s) return s end)
      view.component("card", { view = function() return view.label {} end })
      return require "lib.more"
      """, to: "lib/models.lua")
    folder.write("return { twice = common * 2 }", to: "lib/more.lua")
    for path in ["app.lua", ".", "lib", "lib/more.lua"] {
      let outcome = try check(path)
      #expect(outcome.status == .exited(0), "\(path): \(outcome.errors)")
    }
    folder.write("return { twice = comon * 2 }", to: "lib/more.lua")
    #expect(try check("lib/more.lua").errors.contains("did you mean \"common\""))
    // What was not asked for is not told.
    #expect(try check("app.lua").status == .exited(0))
  }

  @Test func `scripts that compute what they require know all in their folder`() throws {
    // More than are read where only a part of them was asked for.
    for index in 0..<1100 {
      folder.write("require('m' .. \(index)) shared_\(index) = 1", to: "m\(index).lua")
    }
    folder.write("require('m' .. 1) print(shared_0, shared_1099, other)", to: "app.lua")
    let outcome = try check()
    #expect(outcome.errors.contains("app.lua:1:48: error[E0601]"))
    #expect(outcome.output.contains("1 error."), "\(outcome.errors)")
  }

  @Test func `links that lead out of a folder are told of, and followed where they are named`()
    throws
  {
    let other = try ScratchFolder()
    other.write("local secret = = 1", to: "far.lua")
    folder.write("print(1)", to: "near.lua")
    folder.makeFolder("app")
    folder.write("require 'far'", to: "app/app.lua")
    folder.link("app/far.lua", to: other.path + "/far.lua")
    folder.link("app/near.lua", to: "../near.lua")
    let whole = try check(".")
    #expect(whole.errors.contains("app/far.lua:1:1: warning[W0605]: the link leads out"))
    #expect(!whole.errors.contains("near.lua"))
    #expect(!whole.errors.contains("secret"))
    // As when it runs.
    #expect(whole.errors.contains("app/app.lua:1:10: error[E0409]"))
    #expect(try check("app").errors.contains("app/near.lua:1:1: warning[W0605]"))
    #expect(try check("app/far.lua").errors.contains("error[E0401]"))
    let both = try check(".", "app/far.lua")
    #expect(both.errors.contains("error[E0401]"))
    #expect(!both.errors.contains("W0605"))
  }

  @Test func `a module that is not there is an error`() throws {
    folder.write("require 'lib.nothing'", to: "app.lua")
    let outcome = try check("app.lua")
    #expect(outcome.status == .exited(2))
    #expect(outcome.errors.contains("app.lua:1:10: error[E0409]"))
  }

  @Test func `what the host gives and what is allowed can be told`() throws {
    folder.write("print(fetch('x'), half(2), os.getenv('HOME'))", to: "app.lua")
    #expect(try check("app.lua").errorLines.filter { $0.contains("error[") }.count == 3)
    let told = try check("app.lua", "--globals", "fetch,half", "--allow", "env=HOME")
    #expect(told.status == .exited(0), "\(told.errors)")
  }

  @Test func `a byte order mark, a line for the shell and any line ends are fine`() throws {
    folder.write("\u{feff}local a = 1\r\nprint(a)\r\n", to: "a.lua")
    folder.write("#!/usr/bin/env -S tidelock run\nprint(1)\n", to: "b.lua")
    folder.write("\u{feff}#!/usr/bin/env -S tidelock run\nprint(1)\n", to: "c.lua")
    folder.write("-- old\rlocal a = 1\rprint(a)\r", to: "d.lua")
    let outcome = try check()
    #expect(outcome.status == .exited(0), "\(outcome.errors)")
    for name in ["a", "b", "c", "d"] {
      #expect(try Program.run(["run", "\(name).lua"], in: folder).output == "1\n")
    }
    folder.write("\u{feff}print(a)\r\nprint(b)\r\n", to: "a.lua")
    folder.write("#!x\nprint(c)", to: "b.lua")
    folder.write("local a = 1\rprint(d)", to: "d.lua")
    let wrong = try check()
    for location in ["a.lua:1:7:", "a.lua:2:7:", "b.lua:2:7:", "d.lua:2:7:"] {
      #expect(wrong.errors.contains(location), "\(wrong.errors)")
    }
    #expect(wrong.errors.contains("\n  print(a)\n        ^\n"))
  }

  @Test func `what is beside specs and below a spec folder knows the runner's words`() throws {
    folder.makeFolder("spec")
    folder.makeFolder("spec/support")
    folder.makeFolder("tests")
    let shared = "return function() it('x', function() assert.equals(1, 1) end) end"
    folder.write(shared, to: "spec/support/shared.lua")
    folder.write("it('y', function() end)", to: "tests/a_spec.lua")
    folder.write(shared, to: "tests/shared.lua")
    let right = try check()
    #expect(right.status == .exited(0), "\(right.errors)")
    folder.write(shared, to: "other.lua")
    #expect(try check().errors.contains("other.lua:1:19:"))
  }

  @Test(arguments: [["--json"], ["--format", "json"]])
  func `what is found can be told as JSON, one object a line`(flags: [String]) throws {
    folder.write("print(y)\nmodel 'm' { a = 1 }", to: "app.lua")
    let outcome = try Program.run(["check", "app.lua"] + flags, in: folder)
    #expect(outcome.status == .exited(2))
    #expect(
      outcome.outputLines.first
        == #"{"severity":"error","code":"E0601","name":"unknownGlobal","message":"nothing declares or assigns \"y\"","file":"app.lua","line":1,"column":7}"#
    )
    #expect(outcome.outputLines.last?.hasPrefix(#"{"severity":"warning","code":"W0604""#) == true)
    #expect(outcome.errors == "")
  }

  @Test func `what is found can be told as JUnit tells tests`() throws {
    folder.write("print(y, '<&\u{1}')\nprint(z)", to: "a.lua")
    folder.write("print(1)", to: "b.lua")
    folder.write("print(1)", to: "c\nd.lua")
    let outcome = try check("--format", "junit")
    #expect(outcome.status == .exited(2))
    #expect(
      outcome.output.hasPrefix(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
          + "<testsuites name=\"tidelock check\" tests=\"4\" failures=\"2\" errors=\"0\">\n"))
    #expect(
      outcome.output.contains("<testsuite name=\"a.lua\" tests=\"2\" failures=\"2\" errors=\"0\">"))
    #expect(
      outcome.output.contains("<testcase classname=\"b.lua\" name=\"check\" file=\"b.lua\"/>"))
    // One case for each, because most programs show the first failure of a case alone.
    #expect(outcome.output.components(separatedBy: "<failure type=\"E0601\"").count == 3)
    #expect(outcome.output.contains("file=\"a.lua\" line=\"2\""))
    #expect(outcome.output.contains("&lt;&amp;"))
    #expect(outcome.output.contains("<testsuite name=\"c&#10;d.lua\""))
    #expect(!outcome.output.contains("\u{1}"))
    #expect(outcome.output.hasSuffix("</testsuites>\n"))
  }

  @Test(arguments: ["nothing.lua", "empty", "nothing"])
  func `a path that is not there, or without Lua, ends with 66`(path: String) throws {
    folder.makeFolder("empty")
    let outcome = try check(path)
    #expect(outcome.status == .exited(66))
    #expect(outcome.errors.contains("error[E0407]"))
    #expect(outcome.errors.contains(path))
  }

  @Test func `a file that is no text is one error of many`() throws {
    folder.write("print(y)", to: "a.lua")
    folder.write("x = 1 print(x)", to: "b.lua")
    chmod(folder.write("x = 1", to: "c.lua"), 0)
    folder.write("", to: "d.lua")
    if let file = fopen(folder.path + "/e.lua", "w") {
      fwrite([0x78, 0x0a, 0xff, 0xfe] as [UInt8], 1, 4, file)
      fclose(file)
    }
    truncate(folder.write("x = 1", to: "f.lua"), 100 << 20)
    if let file = fopen(folder.path + "/g.lua", "w") {
      fwrite(Array("print('".utf8) + [0xff] + Array("')".utf8), 1, 10, file)
      fclose(file)
    }
    let outcome = try check()
    #expect(outcome.status == .exited(2))
    #expect(outcome.errors.contains("a.lua:1:7: error[E0601]"))
    // Root reads everything.
    if geteuid() != 0 { #expect(outcome.errors.contains("cannot open c.lua")) }
    #expect(outcome.errors.contains("d.lua:1:1: error[E0402]"))
    #expect(outcome.errors.contains("e.lua:2:1: error[E0406]"))
    #expect(outcome.errors.contains("g.lua:1:8: error[E0406]"))
    #expect(outcome.errors.contains("f.lua:1:1: error[E0408]"))
    #expect(!outcome.errors.contains("b.lua:"))
  }

  @Test(arguments: [
    ["check", "--format", "xml"], ["check", "--json", "--format", "junit"],
    ["check", "--allow", "x"], ["check", "--unknown"],
  ])
  func `a wrong word is a usage error`(arguments: [String]) throws {
    let outcome = try Program.run(arguments, in: folder)
    #expect(outcome.status == .exited(64))
    #expect(outcome.errors.contains("Usage:"))
  }

  @Test(arguments: ["check", "new", "types"])
  func `help has an example`(command: String) throws {
    let outcome = try Program.run([command, "--help"], in: folder)
    #expect(outcome.status == .exited(0))
    #expect(outcome.output.contains("tidelock \(command)"))
    #expect(outcome.output.contains("Exit codes:"))
  }

  @Test(arguments: [
    "return view.row {\n  view.label {\n    txt = 'x' } }",
    "model 'a' { b = 1 }\nreturn view.label {\n  bindTo = {\n    text = 'a.c | upper' } }",
    "local columns = {\n  { titel = 'N' } }\nreturn view.table {\n  items = list {}, columns = columns }",
    "print(1)\nfoo.bar = 1\n",
  ])
  func `an app fails with the code and the place that the check reports`(script: String) throws {
    folder.write(script, to: "app.lua")
    let ran = try Program.run(["run", "--snapshot", "app.lua"], in: folder)
    func head(_ errors: String) -> Substring {
      let line = errors.split(separator: "\n").first { $0.contains(": error[") } ?? ""
      return line.prefix { $0 != "]" }
    }
    let expected = head(try check("app.lua").errors)
    #expect(!expected.isEmpty)
    #expect(head(ran.errors) == expected)
  }
}
