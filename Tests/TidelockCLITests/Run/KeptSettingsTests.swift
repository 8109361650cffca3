import TestFolders
import Testing

/// Which commands write the settings of an app, and which only read them.
@Suite struct `Settings of an app` {
  let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    folder.write(
      """
      local settings = controller.settings { initialValues = { runs = 0 } }
      settings.values.runs = settings.values.runs + 1
      local counter = model "counter" { runs = 0 }
      counter.runs = settings.values.runs
      print(settings.values.runs)
      return view.label { text = "runs " .. settings.values.runs }
      """, to: "app.lua")
  }

  private func tidelock(_ arguments: String...) throws -> Program.Outcome {
    try Program.run(
      arguments, in: folder,
      environment: ["XDG_STATE_HOME": folder.path + "/state", "HOME": folder.path])
  }

  @Test func `are kept by a run, and only read for a picture, for causes and at a prompt`() throws {
    #expect(try tidelock("run", "app.lua").output.hasPrefix("1\n"))
    #expect(try tidelock("run", "app.lua", "--snapshot").output.contains("runs 2"))
    #expect(try tidelock("run", "app.lua", "--snapshot-svg", "-").output.hasPrefix("2\n"))
    #expect(try tidelock("why", "app.lua", "counter.runs").output.contains("2"))
    #expect(
      try tidelock("repl", "app.lua", "-e", "models.counter.runs").outputLines.last == "2")
    #expect(try tidelock("run", "app.lua").output.hasPrefix("2\n"))
  }
}
