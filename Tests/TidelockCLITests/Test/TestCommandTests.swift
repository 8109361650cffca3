import Foundation
import Glibc
import TestFolders
import Testing

struct TestCommandTests {
  let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder(folders: "spec")
    folder.write("it('passes', function() print('printed') end)", to: "spec/a_spec.lua")
  }

  private func test(_ arguments: String...) throws -> Program.Outcome {
    try Program.run(["test"] + arguments, in: folder)
  }

  @Test func `finds the specs, and prints how they went`() throws {
    let outcome = try test()
    #expect(outcome.status == .exited(0))
    #expect(
      outcome.output.hasPrefix("printed\n+\n1 success / 0 failures / 0 errors / 0 pending : "))
    #expect(outcome.errors == "")
  }

  @Test func `exits with 1 for failures, for errors and where there is no test`() throws {
    folder.write("it('fails', function() assert.is_true(false) end)", to: "spec/b_spec.lua")
    #expect(try test().status == .exited(1))
    #expect(try test("spec/a_spec.lua").status == .exited(0))
    #expect(try test("nowhere").status == .exited(1))
    #expect(try test("-p", "nothing").status == .exited(1))
    #expect(try test("-o", "nothing").status == .exited(1))
    #expect(try test("--helper", "nothing.lua").status == .exited(1))
  }

  @Test func `runs what failed last, which it keeps beside other state`() throws {
    folder.write("it('fails', function() assert.is_true(fixed) end)", to: "spec/b_spec.lua")
    let environment = ["XDG_STATE_HOME": folder.path + "/state"]
    func run(_ arguments: String...) throws -> Program.Outcome {
      try Program.run(["test", "-o", "TAP"] + arguments, in: folder, environment: environment)
    }
    #expect(try run().status == .exited(1))
    #expect(try run("--failed-first").output.hasPrefix("not ok 1 - fails\n"))
    var outcome = try run("--failed")
    #expect(outcome.output.hasPrefix("not ok 1 - fails\n"))
    #expect(outcome.output.hasSuffix("\n1..1\n"))
    #expect(try run("--failed", "--sandbox", "-e", "fixed = true").status == .exited(0))
    outcome = try run("--failed", "-e", "fixed = true")
    #expect(outcome.output == "ok 1 - passes\nok 2 - fails\n1..2\n")
    #expect(outcome.errors.contains("no test failed in the last run, so all of them run"))
    #expect(folder.entries(of: ".").filter { !$0.hasPrefix(".") } == ["spec", "state"])
  }

  @Test(arguments: [[], ["--sandbox"], ["--sandbox", "--confine", "auto"], ["-j", "4"]])
  func `shows what a failed test saw`(options: [String]) throws {
    folder.write(
      """
      it('fails', function()
        ui.mount(view.button { id = 'ok', title = 'OK' })
        ui.tap 'ok'
        assert.is_true(false)
      end)
      """, to: "spec/b_spec.lua")
    let outcome = try Program.run(
      ["test", "--artifacts", "seen"] + options, in: folder,
      environment: ["XDG_STATE_HOME": folder.path + "/state"])
    #expect(outcome.status == .exited(1), "\(outcome)")
    #expect(outcome.output.contains("\n-> seen/b/fails/picture.txt\n"), "\(outcome.output)")
    #expect(folder.read("seen/b/fails/picture.txt") == "[ OK ]\n")
    #expect(folder.read("seen/b/fails/acts.txt").hasSuffix("0 s  ui.tap(\"ok\")\n"))
    #expect(folder.entries(of: "seen") == ["b"])
    let good = try test("--artifacts", "none", "spec/a_spec.lua")
    #expect(good.status == .exited(0))
    #expect(!folder.entries(of: ".").contains("none"))
    #expect(try test("--artifacts", "spec/a_spec.lua").status == .exited(64))
  }

  @Test func `tells of the slowest tests`() throws {
    folder.write(
      "it('turns', function() local stop = os.clock() + 0.05 while os.clock() < stop do end end)",
      to: "spec/b_spec.lua")
    let outcome = try test("--slowest", "1")
    #expect(outcome.output.contains("\nThe slowest test\n\n"), "\(outcome.output)")
    #expect(outcome.output.hasSuffix(" s  spec/b_spec.lua:1: turns\n"), "\(outcome.output)")
    let lines = try test("--slowest", "9", "--json").output
    #expect(lines.contains(#"{"event":"slow","name":"turns","file":"spec/b_spec.lua","line":1,"#))
    #expect(lines.contains(#"{"event":"slow","name":"passes""#))
    #expect(try test("--slowest", "0").status == .exited(64))
    #expect(try test("--retries", "-1").status == .exited(64))
  }

  @Test func `keeps a report for programs apart from what specs and their programs print`() throws {
    folder.write(
      "it('runs', function() os.execute('echo from a program') io.write('{\\n') io.stdout:write('<\\n') end)",
      to: "spec/b_spec.lua")
    for (arguments, first) in [
      (["--json"], "{"), (["-o", "json"], "{"), (["-o", "junit"], "\n<testsuites"),
      (["-o", "TAP"], "ok 1"),
    ] {
      let outcome = try Program.run(["test"] + arguments, in: folder)
      #expect(outcome.status == .exited(0))
      #expect(outcome.errors.contains("from a program\n"), "\(outcome.errors)")
      #expect(!outcome.output.contains("from a program"), "\(outcome.output)")
      #expect(outcome.output.hasPrefix(first), "\(outcome.output)")
      if arguments == ["--json"] {
        for line in outcome.output.split(separator: "\n") {
          _ = try JSONSerialization.jsonObject(with: Data(line.utf8))
        }
      } else {
        #expect(outcome.errors.contains("printed\n"), "\(outcome.errors)")
        #expect(outcome.errors.contains("<\n"))
      }
    }
    #expect(try test().output.contains("from a program\n"))
  }

  @Test func `exits with 64 for what it cannot understand`() throws {
    #expect(try test("--strange").status == .exited(64))
    #expect(try test("-t", "a,b", "--exclude-tags", "b").status == .exited(64))
    #expect(try test("--repeat", "0").status == .exited(64))
    #expect(try test("--repeat", "x").status == .exited(64))
    #expect(try test("--run", "nothing").status == .exited(64))
    #expect(try test("-j", "0").status == .exited(64))
  }

  @Test func `holds specs to the turn, the memory and the limits that it is given`() throws {
    folder.write(
      """
      it('turns', function() while true do end end)
      it('fills', function() local t = ('x'):rep(24 << 20); assert.equal(24 << 20, #t) end)
      it('lists', function() list { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 } end)
      """, to: "spec/b_spec.lua")
    for more in [[], ["--sandbox"]] {
      let arguments = ["test", "spec/b_spec.lua", "--json"] + more
      let budgets = ["--turn", "0.2", "--memory", "16M", "--limit", "rows=10"]
      let outcome = try Program.run(arguments + budgets, in: folder)
      #expect(outcome.status == .exited(1))
      #expect(outcome.output.contains("it ran for more than 0.2 seconds"), "\(outcome.output)")
      #expect(outcome.output.contains("not enough memory"), "\(outcome.output)")
      #expect(outcome.output.contains(#"raise the limit \"rows\""#), "\(outcome.output)")
      let unbounded = try Program.run(arguments + ["--timeout", "1"], in: folder)
      #expect(unbounded.output.contains("it ran for more than 1 second"))
      #expect(unbounded.output.contains(#""successes":2,"failures":0,"errors":1"#))
    }
    #expect(try test("--memory", "1").status == .exited(64))
    #expect(try test("--turn", "0").status == .exited(64))
    #expect(try test("--limit", "row=1").errors.contains(#"did you mean "rows"?"#))
  }

  @Test func `prints an object a line for programs`() throws {
    folder.write(
      """
      describe('b', function()
        it('fails', function() assert.is_true(false) end)
        pending('waits')
        after_each(function() assert.equal(1, 2) end)
        teardown(function() error('late') end)
      end)
      """, to: "spec/b_spec.lua")
    folder.write("return { count = 1 }", to: "src.lua")
    let outcome = try test("--json")
    #expect(outcome.status == .exited(1))
    let lines = outcome.output.split(separator: "\n").map(String.init)
    #expect(lines.count == 7, "\(outcome.output)")
    #expect(lines.allSatisfy { $0.hasPrefix("{\"event\":") && $0.hasSuffix("}") })
    #expect(lines[0] == #"{"event":"output","text":"printed\n"}"#)
    #expect(lines[1].contains(#""status":"success","name":"passes","file":"spec/a_spec.lua""#))
    #expect(lines[2].contains(#""status":"failure","name":"b fails","file":"spec/b_spec.lua""#))
    #expect(lines[2].contains(#""line":2"#) && lines[2].contains("Expected objects to be the same"))
    #expect(lines[3].contains(#""event":"error","name":"b after_each","test":"b fails""#))
    #expect(lines[4].contains(#""status":"pending","name":"b waits""#))
    #expect(lines[5].contains(#""event":"error""#) && lines[5].contains("late"))
    #expect(
      lines[6].hasPrefix(#"{"event":"end","successes":1,"failures":1,"errors":2,"pendings":1"#))
    #expect(try test("--json", "--list").output.contains(#"{"event":"listed","name":"passes","#))
    let wrong = try test("--json", "--run", "nothing")
    #expect(wrong.errors.hasPrefix(#"{"severity":"error","message":"#), "\(wrong.errors)")
    #expect(try test("--json", "nowhere").output.contains(#"{"event":"error","#))
    #expect(try test("--json", "-o", "TAP").status == .exited(64))
    #expect(try test("--json", "--repeat", "2").output.contains(#""run":2,"of":2"#))
  }

  @Test func `colours what it is asked to`() throws {
    #expect(try test("--color", "always").output.contains("\u{1B}[32m+\u{1B}[0m"))
    #expect(try !test("--color", "never", "-o", "utfTerminal").output.contains("\u{1B}"))
    #expect(try !test().output.contains("\u{1B}"))
  }

  @Test func `does not wait until somebody reads a report from a named pipe`() throws {
    #expect(mkfifo(folder.path + "/pipe", 0o600) == 0)
    for outcome in [
      try test("-o", "junit", "-Xoutput", "pipe"),
      try test("--sandbox", "-o", "junit", "-Xoutput", "pipe"),
    ] {
      #expect(outcome.status == .exited(1))
      #expect(outcome.errors.contains("pipe cannot be written"))
    }
  }

  @Test func `takes every flag of busted`() throws {
    folder.write("", to: "help.lua")
    folder.write(
      "return { default = { verbose = true }, named = { output = 'TAP' } }", to: ".busted")
    let outcome = try test(
      "-p", "_spec", "--pattern=_spec", "--exclude-pattern", "b_", "-e", "x = 1", "-C", ".",
      "-f", ".busted", "-r", "named", "--exclude-tags", "slow", "--filter", "pass", "--filter-out",
      "fail", "-m", "./?.lua", "--lpath=./x/?.lua", "--cpath=./?.so", "--repeat=1", "--seed", "1",
      "--lang", "en", "--loaders", "lua", "--helper", "help.lua", "--lua", "lua5.4", "-Xoutput",
      "--plain", "-Xhelper", "x,y", "--no-coverage", "-v", "--no-verbose", "--no-enable-sound",
      "--ignore-lua", "--no-lazy", "--auto-insulate", "-k", "--no-shuffle", "--shuffle-files",
      "--shuffle-tests", "--no-sort", "--no-sort-files", "--no-sort-tests", "--suppress-pending",
      "--no-defer-print", "-R", "--", "spec")
    #expect(outcome.status == .exited(0), "\(outcome.errors)")
    #expect(outcome.output == "ok 1 - passes\n1..1\n")
    #expect(outcome.errors.contains("printed"))
    #expect(try test("-l").output == "passes\n")
    #expect(try test("--version").output == "2.1.1\n")
  }

  @Test func `works in another folder, with its defaults`() throws {
    folder.makeFolder("inner")
    folder.makeFolder("inner/tests")
    folder.write("it('x', function() end)", to: "inner/tests/y_spec.lua")
    folder.write("return { default = { output = 'TAP' } }", to: "inner/.busted")
    #expect(try test("-C", "inner").output == "ok 1 - x\n1..1\n")
  }

  @Test func `writes snapshots with -u, and says so beside the report`() throws {
    folder.write("return view.label { text = 'Hello' }", to: "app.lua")
    folder.write(
      "it('shows', function() ui.mount 'app.lua' assert.snapshot(ui) end)", to: "spec/a_spec.lua")
    #expect(try test().status == .exited(1))
    let outcome = try test("-u", "-o", "TAP")
    #expect(outcome.status == .exited(0), "\(outcome.output)")
    #expect(outcome.output == "ok 1 - shows\n1..1\n")
    #expect(outcome.errors == "tidelock test: spec/__snapshots__/a_spec.snap: 1 written\n")
    #expect(try test("--update").errors == "")
    #expect(try test().status == .exited(0))
  }
}
