import Glibc
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

  @Test(arguments: [SIGTERM, SIGHUP, SIGINT])
  func `are kept where a signal ends the run, with what was set on the way out`(
    _ number: Int32
  ) throws {
    folder.write(
      """
      local settings = controller.settings {}
      local function set(name, count)
        for i = 1, count do settings.values[name .. i] = list { i } end
      end
      on(app, "willQuit", function() set("asked", 50) end)
      hot.dispose(function() set("disposed", 50) end)
      after(0, function()
        set("busy", 50)
        -- What its turn stops would be taken back.
        checkpoint()
        print("busy")
        while true do end
      end)
      """, to: "app.lua")
    let environment = ["XDG_STATE_HOME": folder.path + "/state", "HOME": folder.path]
    // The whole end has two seconds, whatever the turn takes that is cut short.
    let program = try Program(
      ["run", "app.lua", "--turn", "0.5"], in: folder, environment: environment)
    program.wait { $0.output == "busy\n" }
    program.send(number)
    _ = program.finish(seconds: 10)
    folder.write(
      """
      local values = controller.settings {}.values
      print(values.busy50[1], values.asked50[1], values.disposed50[1])
      """, to: "app.lua")
    let next = try Program.run(["run", "app.lua"], in: folder, environment: environment)
    #expect(next.outputLines.first == "50\t50\t50", "\(next)")
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
