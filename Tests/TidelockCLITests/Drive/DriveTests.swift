import TestFolders
import Testing

@Suite struct `Driving from the command line` {
  let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    folder.write(
      """
      model "fruit" { name = "fig", count = 0 }
      print "printed"
      return view.column {
        view.field { id = "name", bindTo = { text = "<> fruit.name" } },
        view.button { id = "add", title = "Add", on = { touchUpInside = function()
          models.fruit.count = models.fruit.count + 1 end } },
        view.button { id = "leave", title = "Leave", on = { touchUpInside = function()
          after(0.02, function() exit(3) end) end } },
      }
      """, to: "app.lua")
  }

  private func drive(_ words: String...) throws -> Program.Outcome {
    try Program.run(["drive", "--start", "run app.lua"] + words, in: folder)
  }

  @Test func `a smoke test is one line`() throws {
    let outcome = try drive(
      "tap", "add", "then", "type", "name", "s", "then", "assert", "fruit.name == 'figs'", "then",
      "get", "fruit.count", "then", "capture")
    #expect(outcome.status == .exited(0), "\(outcome)")
    #expect(outcome.output == "1\nfigs\n[ Add ]\n[ Leave ]\n")
    #expect(outcome.errors.contains("printed"))
  }

  @Test func `each verb is an object of JSON`() throws {
    let outcome = try drive("--json", "tap", "add", "then", "get", "fruit", "then", "tap", "ad")
    #expect(outcome.status == .exited(1))
    #expect(
      outcome.outputLines.prefix(2) == [
        #"{"verb":"tap","ok":true}"#,
        #"{"verb":"get","ok":true,"value":{"count":1,"name":"fig"}}"#,
      ])
    #expect(
      outcome.outputLines.last?.hasPrefix(#"{"verb":"tap","ok":false,"error":{"severity""#) == true)
  }

  @Test(
    arguments: [
      (["assert", "fruit.count == 1"], 1), (["wait", "fruit.count == 1", "--timeout", "0"], 1),
      (["tap", "nothing"], 1), (["tapp", "add"], 2), (["tap"], 2), (["--frob", "tap", "add"], 2),
      (["--size", "1", "tap", "add"], 2), (["quit"], 0),
    ] as [([String], Int32)])
  func `the exit code says how it went`(words: [String], code: Int32) throws {
    let outcome = try Program.run(["drive", "--start", "run app.lua"] + words, in: folder)
    #expect(outcome.status == .exited(code), "\(outcome)")
    #expect(outcome.errors.contains("error[") == (code != 0))
  }

  @Test func `an app that does not run, or cannot be shown, has a code of its own`() throws {
    let environment = ["XDG_RUNTIME_DIR": folder.path]
    let none = try Program.run(
      ["drive", "fruit", "tap", "add"], in: folder, environment: environment)
    #expect(none.status == .exited(66))
    folder.write("error 'broken'", to: "broken.lua")
    let broken = try Program.run(["drive", "--start", "run broken.lua", "status"], in: folder)
    #expect(broken.status == .exited(65))
    #expect(broken.errors.contains("broken"))
  }

  @Test func `verbs are read from a file, which may have lines of specs`() throws {
    folder.write(
      "# a scenario\nui.tap(\"add\")\nget fruit.count\n\nresize 20 5\nstatus\n", to: "verbs")
    let outcome = try drive("-f", "verbs")
    #expect(outcome.status == .exited(0), "\(outcome)")
    #expect(outcome.outputLines.first == "1")
    #expect(outcome.output.contains("size: 20x5"))
    folder.write("get fruit.name\n", to: "-")
    #expect(try !drive("-f", "-").output.contains("fig"))
    #expect(try drive("-f", "./-").output.contains("fig"))
  }

  @Test func `one of several apps is named`() throws {
    let environment = ["XDG_RUNTIME_DIR": folder.path]
    folder.write("after(1000, function() end) print 'up'", to: "other.lua")
    folder.write("after(1000, function() end) print 'up'", to: "another.lua")
    let programs = try ["other.lua", "another.lua"].map { file in
      // Each has a folder for what it prints.
      let own = try ScratchFolder()
      let program = try Program(
        ["run", folder.path + "/" + file], in: own, environment: environment)
      program.wait { $0.output.contains("up") }
      return program
    }
    defer { for program in programs { program.send(15) } }
    func drive(_ words: String...) throws -> Program.Outcome {
      try Program.run(["drive"] + words, in: folder, environment: environment)
    }
    let several = try drive("status")
    #expect(several.status == .exited(66))
    #expect(several.errors.contains("2 apps run; name one of them: another-"), "\(several)")
    let wrong = try drive("othr", "status")
    #expect(wrong.status == .exited(66))
    #expect(wrong.errors.contains("did you mean \"other\"?"))
    let named = try drive("other", "status")
    #expect(named.status == .exited(0))
    #expect(named.output.contains("name: other"))
  }

  @Test func `an app that ends in the middle has a code of its own`() throws {
    let outcome = try drive("tap", "leave", "then", "wait", "false")
    #expect(outcome.status == .exited(69), "\(outcome)")
    #expect(outcome.errors.contains("has ended, with exit code 3"))
    folder.write("tap leave\nwait false\n", to: "verbs")
    #expect(try drive("-f", "verbs").status == .exited(69))
  }

  @Test func `a wait that is over says the last values, and a wrong id the nearest`() throws {
    let late = try drive(
      "eval", "after(0.05, function() models.fruit.count = 2 end)", "then", "wait",
      "models.fruit.count == 3", "--timeout", "0.3")
    #expect(late.status == .exited(1))
    #expect(late.errors.contains("did not become true within 0.3 s"))
    #expect(late.errors.contains("models.fruit.count = 2"), "\(late.errors)")
    let wrong = try drive("tap", "ad")
    #expect(wrong.errors.contains("did you mean \"add\"?"))
  }

  @Test func `a picture is written to a file`() throws {
    let outcome = try drive("capture", "--svg", "picture.svg")
    #expect(outcome.status == .exited(0), "\(outcome)")
    #expect(folder.read("picture.svg").hasPrefix("<svg"))
  }
}
