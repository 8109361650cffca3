import TestFolders
import Testing

struct WatchTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test func `a save reloads the app, which keeps its state`() throws {
    folder.write("local m = model 'm' { n = 1 } print('one', m.n) m.n = 5", to: "app.lua")
    let program = try Program(["run", "app.lua", "--watch"], in: folder)
    program.wait { $0.output == "one\t1\n" }
    folder.write("local m = model 'm' { n = 1 } print('two', m.n)", to: "app.lua")
    program.wait { $0.errors.hasPrefix("reloaded 1 of 1 modules in ") }
    #expect(program.output == "one\t1\ntwo\t5\n")
  }

  @Test func `a module's save reloads the app`() throws {
    folder.write("print((require 'words'))", to: "app.lua")
    folder.write("return 'one'", to: "words.lua")
    let program = try Program(["run", "app.lua", "--watch"], in: folder)
    program.wait { $0.output.hasPrefix("one") }
    folder.write("return 'two'", to: "words.lua")
    program.wait { $0.output.contains("two") }
    program.wait { $0.errors.hasPrefix("reloaded 2 of 2 modules in ") }
  }

  @Test func `a module is followed to the file that it moves to, and back`() throws {
    folder.write("print((require 'words'))", to: "app.lua")
    folder.write("return 'one'", to: "words.lua")
    let program = try Program(["run", "app.lua", "--watch"], in: folder)
    program.wait { $0.output.hasPrefix("one") }
    folder.remove("words.lua")
    folder.makeFolder("words")
    folder.write("return 'two'", to: "words/init.lua")
    program.wait { $0.output.contains("two") }
    folder.write("return 'three'", to: "words/init.lua")
    program.wait { $0.output.contains("three") }
    // From here on it is found before the other one.
    folder.write("return 'four'", to: "words.lua")
    program.wait { $0.output.contains("four") }
    folder.write("return 'nobody reads this'", to: "words/init.lua")
    folder.write("return 'five'", to: "words.lua")
    program.wait { $0.output.contains("five") }
    #expect(program.output == "one\ntwo\nthree\nfour\nfive\n")
    #expect(program.errors.split(separator: "\n").allSatisfy { $0.hasPrefix("reloaded 2 of 2") })
  }

  @Test func `a version that lacks a module begins once its init file is there`() throws {
    folder.write("print((require 'words'))", to: "app.lua")
    let program = try Program(["run", "app.lua", "--watch"], in: folder)
    program.wait { $0.errors.contains("E0409") }
    folder.makeFolder("words")
    folder.write("return 'one'", to: "words/init.lua")
    program.wait { $0.output == "one\n" }
  }

  @Test func `a broken save keeps the old version, and the next good one fixes it`() throws {
    folder.write("print('one') every(0.02, function() print('tick') end)", to: "app.lua")
    let program = try Program(["run", "app.lua", "--watch"], in: folder)
    program.wait { $0.output.contains("tick") }
    folder.write("print('two'", to: "app.lua")
    program.wait { $0.errors.contains("not reloaded: the old version keeps running") }
    #expect(program.errors.hasPrefix("app.lua:1:"))
    let ticks = program.output.count
    program.wait { $0.output.count > ticks }
    folder.write("print('three')", to: "app.lua")
    program.wait { $0.output.contains("three") }
    program.wait { $0.errors.contains("reloaded 1 of 1") }
  }

  @Test func `a broken first run waits for the next save`() throws {
    folder.write("print('one'", to: "app.lua")
    let program = try Program(["run", "app.lua", "--watch"], in: folder)
    program.wait { $0.errors.contains("error[E0401]") }
    folder.write("print('two')", to: "app.lua")
    program.wait { $0.output == "two\n" }
    program.wait { $0.errors.contains("reloaded 1 of 1 modules") }
  }

  @Test func `a missing file is not waited for`() throws {
    let outcome = try Program.run(["run", "app.lua", "--watch"], in: folder)
    #expect(outcome.status == .exited(66))
  }

  @Test func `the same contents reload nothing`() throws {
    let script = "print('run')"
    folder.write(script, to: "app.lua")
    let program = try Program(["run", "app.lua", "--watch", "--for", "1"], in: folder)
    program.wait { $0.output == "run\n" }
    folder.write(script, to: "app.lua")
    let outcome = program.finish()
    #expect(outcome.status == .exited(0))
    #expect(outcome.output == "run\n")
    #expect(outcome.errors == "")
  }

  @Test func `reloads as JSON`() throws {
    folder.write("print('one')", to: "app.lua")
    let program = try Program(["run", "app.lua", "--watch", "--json"], in: folder)
    program.wait { $0.output == "one\n" }
    folder.write("print('two')", to: "app.lua")
    program.wait { $0.errors.contains("milliseconds") }
    #expect(
      program.errors.hasPrefix(
        #"{"event":"reload","succeeded":true,"changed":["app.lua"],"reloaded":1,"modules":1,"#))
  }
}
