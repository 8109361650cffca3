import TestFolders
import Testing

struct CoverageTests {
  let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder(folders: "spec", "src")
    folder.write(
      """
      local fruit = {}
      function fruit.name(kind)
        if kind == 1 then
          return "apple"
        end
        return "pear"
      end
      function fruit.later(fn)
        return coroutine.wrap(function()
          coroutine.yield(fn())
        end)
      end
      return fruit

      """, to: "src/fruit.lua")
    for name in ["a", "b"] {
      folder.write(
        "local fruit = require 'fruit'\nit('names', function() assert.equal('pear', fruit.name(2)) end)",
        to: "spec/\(name)_spec.lua")
    }
  }

  private func test(_ arguments: String...) throws -> Program.Outcome {
    try Program.run(["test"] + arguments, in: folder)
  }

  @Test func `shows which lines have run, over all files`() throws {
    let outcome = try test("--coverage", "-j", "2")
    #expect(outcome.status == .exited(0), "\(outcome.errors)")
    #expect(
      outcome.output.hasSuffix(
        """

        Coverage

        File           Lines  Missed  Cover  Missed lines
        src/fruit.lua      9       3  66.6%  4, 9-10
        All                9       3  66.6%

        """), "\(outcome.output)")
    let lcov = folder.read("coverage/lcov.info")
    #expect(lcov.hasPrefix("TN:\nSF:/"))
    #expect(lcov.contains("/src/fruit.lua\nDA:1,2\nDA:2,2\nDA:3,2\nDA:4,0\nDA:6,2\n"))
    #expect(lcov.hasSuffix("LH:6\nLF:9\nend_of_record\n"))
    let report = folder.read("coverage/report.txt")
    #expect(report.contains("       2 local fruit = {}\n"))
    #expect(report.contains("    ***0     return \"apple\"\n"))
    #expect(report.contains("         end\n"))
  }

  @Test func `coroutines, dofile and a hook of the host's turn count`() throws {
    folder.write("local n = 1\nreturn n\n", to: "src/data.lua")
    folder.write(
      """
      local fruit = require 'fruit'
      it('yields', function() assert.equal(1, fruit.later(function() return dofile 'src/data.lua' end)()) end)
      it('loops', function() while true do end end)
      it('names', function() assert.equal('apple', fruit.name(1)) end)
      """, to: "spec/c_spec.lua")
    let outcome = try test("-c", "--timeout", "0.2")
    #expect(outcome.status == .exited(1))
    #expect(outcome.output.contains("src/data.lua       2       0  100.0%\n"), "\(outcome.output)")
    #expect(outcome.output.contains("src/fruit.lua      9       0  100.0%\n"))
  }

  @Test func `a configuration says which files count`() throws {
    folder.write("return { include = { 'spec/.*' }, exclude = { 'b_spec$' } }", to: ".luacov")
    let outcome = try test("--coverage")
    #expect(outcome.output.contains("\nspec/a_spec.lua "))
    #expect(!outcome.output.contains("b_spec"))
    #expect(!outcome.output.contains("fruit"))
    folder.write("return { exclude = { '.' } }", to: "other.lua")
    #expect(
      try test("--coverage", "--coverage-config-file", "other.lua").output.hasSuffix(
        "Coverage: there is no file below this folder that counts\n"))
  }

  @Test func `files that no spec loads count, unless the configuration says otherwise`() throws {
    folder.write(
      "local M = {}\nfunction M.never()\n  return 1\nend\nreturn M\n", to: "src/unused.lua")
    folder.makeFolder("src/.hidden")
    folder.makeFolder("lib")
    folder.write("return 1", to: "src/.hidden/deep.lua")
    folder.write("return 1", to: "spec/support.lua")
    var outcome = try test("--coverage")
    #expect(
      outcome.output.contains("src/unused.lua      4       4   0.0%  1-5\n"), "\(outcome.output)")
    #expect(!outcome.output.contains("hidden"))
    #expect(!outcome.output.contains("support"))
    #expect(folder.read("coverage/lcov.info").contains("/src/unused.lua\nDA:1,0\n"))
    folder.write("return { includeuntestedfiles = false }", to: ".luacov")
    outcome = try test("--coverage")
    #expect(!outcome.output.contains("unused"))
    folder.write("return { includeuntestedfiles = { 'lib' } }", to: ".luacov")
    folder.write("return 1\n", to: "lib/one.lua")
    outcome = try test("--coverage")
    #expect(!outcome.output.contains("unused"))
    #expect(outcome.output.contains("lib/one.lua"))
  }

  @Test func `too little coverage is a failure`() throws {
    var outcome = try test("--coverage-threshold", "66.7")
    #expect(outcome.status == .exited(1))
    #expect(
      outcome.errors.contains(
        "error: the coverage is 66.6%, below the threshold of 66.7%; test the missed lines"),
      "\(outcome.errors)")
    #expect(try test("--coverage-threshold", "66").status == .exited(0))
    folder.write("return { threshold = 90 }", to: ".luacov")
    outcome = try test("--coverage")
    #expect(outcome.status == .exited(1))
    #expect(outcome.errors.contains("below the threshold of 90%"))
    folder.write(
      "return { default = { coverage = true, ['coverage-threshold'] = 60 } }", to: ".busted")
    #expect(try test().status == .exited(0))
    #expect(try test("--coverage-threshold", "101").status == .exited(64))
  }

  @Test func `a page shows the lines that ran and those that did not`() throws {
    folder.write("return '<b>' .. 1\n", to: "src/mark<up>.lua")
    _ = try test("--coverage")
    let page = folder.read("coverage/index.html")
    #expect(page.hasPrefix("<!DOCTYPE html>"))
    #expect(page.contains("<h1>Coverage 60.0%</h1>"), "\(page)")
    #expect(page.contains("<td><a href=\"#f0\">src/fruit.lua</a><td>9<td>3<td>66.6%"))
    #expect(page.contains("<span class=\"hit\"><i>1</i><b>2</b>local fruit = {}\n</span>"))
    #expect(
      page.contains("<span class=\"miss\"><i>4</i><b>0</b>    return &quot;apple&quot;\n</span>"))
    #expect(page.contains("<span><i>5</i><b></b>  end\n</span>"))
    #expect(page.contains("src/mark&lt;up&gt;.lua"))
    #expect(!page.contains("<b>' .. 1"))
  }

  @Test func `a bad configuration is named`() throws {
    for (text, message) in [
      ("return { includeuntestedfiles = 1 }", "a list of folders and files is expected"),
      ("return { threshold = 'all' }", "0 to 100 is expected"),
      ("return 1", "does not return a table"), ("x = = 1", "cannot be run"),
      ("return { include = 1 }", "a list of patterns is expected"),
      ("return { include = { '[' } }", "is not a Lua pattern"),
    ] {
      folder.write(text, to: ".luacov")
      let outcome = try test("--coverage")
      #expect(outcome.status == .exited(1))
      #expect(outcome.errors.contains(".luacov"))
      #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }
    #expect(try test("--coverage", "--coverage-config-file", "none").status == .exited(1))
    #expect(try test("--no-coverage").status == .exited(0))
  }

  @Test func `a report for programs stays whole`() throws {
    let outcome = try test("--coverage", "-o", "TAP")
    #expect(outcome.output == "ok 1 - names\nok 2 - names\n1..2\n")
    #expect(outcome.errors.contains("Coverage"))
  }

  @Test func `without the flag nothing is written`() throws {
    _ = try test()
    #expect(folder.read("coverage/lcov.info") == "")
  }
}
