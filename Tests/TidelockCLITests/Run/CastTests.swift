import TestFolders
import Testing
import TideSystem

@Suite struct `A cast of an app` {
  let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    folder.write(
      """
      local fruit = model "fruit" { name = "fig" }
      after(0.05, function() fruit.name = "kiwi" end)
      return view.column {
        view.label { text = function() return fruit.name end }, view.field { id = "field" } }
      """, to: "app.lua")
  }

  private var lines: [JSONValue] {
    get throws {
      try folder.read("app.cast").split(separator: "\n").map {
        try JSONValue(parsing: Array($0.utf8))
      }
    }
  }

  @Test func `is recorded without a terminal, with the size that is given`() throws {
    let outcome = try Program.run(
      [
        "run", "app.lua", "--cast", "app.cast", "--for", "0.2", "--size", "30x5", "--keys", "Tab x",
      ],
      in: folder)
    #expect(outcome.status == .exited(0), "\(outcome)")
    let lines = try lines
    #expect(lines.first?["version"].int == 2)
    #expect(lines.first?["width"].int == 30 && lines.first?["height"].int == 5)
    let output = lines.dropFirst().map { $0[2].string ?? "" }
    #expect(output.first?.contains("fig") == true)
    #expect(output.contains { $0.contains("x") })
    #expect(output.last?.contains("kiwi") == true)
    let times = lines.dropFirst().compactMap { $0[0].double }
    #expect(times.first == 0 && times == times.sorted())
    #expect((times.last ?? 0) >= 0.04)
  }

  @Test func `is recorded in a terminal`() throws {
    let terminal = try Terminal(columns: 40, rows: 8)
    let program = try Program(
      ["run", "app.lua", "--cast", "app.cast"], in: folder, output: .terminal(terminal.name))
    terminal.wait(for: "kiwi")
    terminal.type("\u{3}")
    #expect(program.finish(meanwhile: terminal.read).status == .exited(130))
    #expect(try lines.first?["width"].int == 40)
    #expect(folder.read("app.cast").contains("kiwi"))
  }

  @Test func `is recorded of an app that is driven`() throws {
    let outcome = try Program.run(
      [
        "drive", "--start", "run app.lua --cast app.cast", "type", "field", "typed", "then", "wait",
        "fruit.name == 'kiwi'",
      ], in: folder)
    #expect(outcome.status == .exited(0), "\(outcome)")
    #expect(try lines.count > 5)
  }

  @Test func `does not have what was typed into a secure field`() throws {
    folder.write("return view.field { id = 'secret', secure = true }", to: "app.lua")
    let outcome = try Program.run(
      ["run", "app.lua", "--cast", "app.cast", "--for", "0.1", "--keys", "Tab h u n t e r"],
      in: folder)
    #expect(outcome.status == .exited(0))
    #expect(try lines.count > 1)
    #expect(!folder.read("app.cast").contains("hunt"))
  }

  @Test func `is no reason to go on where it cannot be written`() throws {
    let outcome = try Program.run(
      ["run", "app.lua", "--cast", "nowhere/app.cast", "--for", "0.1"], in: folder)
    #expect(outcome.status == .exited(1))
    #expect(outcome.errors.contains("nowhere/app.cast cannot be written: No such file"))
    let full = try Program.run(
      ["run", "app.lua", "--cast", "/dev/full", "--for", "0.1"], in: folder)
    #expect(full.status == .exited(1))
    #expect(full.errors.contains("/dev/full cannot be written"))
    #expect(try Program.run(["run", "app.lua", "--cast", ""], in: folder).status == .exited(64))
  }

  @Test func `of an app that shows nothing has its first line alone`() throws {
    folder.write("print 'done'", to: "app.lua")
    let outcome = try Program.run(["run", "app.lua", "--cast", "app.cast"], in: folder)
    #expect(outcome.status == .exited(0))
    #expect(try lines.count <= 2)
    #expect(try lines.first?["version"].int == 2)
  }
}
