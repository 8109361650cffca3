import TestFolders
import Glibc
import Testing

/// How `run` ends: by itself, by the person, and by signals.
@Suite(.serialized) struct EndingTests: LiveSuite {
  let folder: ScratchFolder
  let terminal: Terminal

  init() throws {
    folder = try ScratchFolder()
    terminal = try Terminal()
  }

  /// Says what it does when it ends, after so many seconds.
  static func app(
    waiting seconds: Double = 0, returning result: String = "nil", exiting code: Int? = nil
  ) -> String {
    """
    print("ready")
    on(app, "willQuit", function()
      print("asked")
      if \(seconds) > 0 then sleep(\(seconds)) end
      print("answered")
      return \(result)
    end)
    hot.dispose(function() print("disposed") end)
    \(code.map { "exit(\($0))" } ?? "every(60, function() end)")
    return view.label { text = "READY", on = { didDisappear = function() print("gone") end } }
    """
  }

  // MARK: Signals

  @Test(arguments: [SIGTERM, SIGHUP])
  func `a signal ends it in order, and by the signal`(_ number: Int32) throws {
    let program = try start(Self.app(returning: "false"))
    program.wait { $0.output == "ready\n" }
    program.send(number)
    let outcome = program.finish()
    #expect(outcome.status == .signalled(number))
    #expect(outcome.outputLines == ["ready", "asked", "answered", "gone", "disposed"])
  }

  @Test func `an interrupt asks, and a second one ends it`() throws {
    let program = try start(Self.app(waiting: 1000))
    program.wait { $0.output == "ready\n" }
    program.send(SIGINT)
    program.wait { $0.output.hasSuffix("asked\n") }
    usleep(700_000)
    #expect(program.output.hasSuffix("asked\n"), "it waits")
    program.send(SIGINT)
    let outcome = program.finish(seconds: 5)
    #expect(outcome.status == .exited(130))
    #expect(outcome.outputLines == ["ready", "asked", "gone", "disposed"])
  }

  @Test func `an app that stays hears of the next interrupt as of a first one`() throws {
    let program = try start(Self.app(returning: "false"))
    program.wait { $0.output == "ready\n" }
    for count in 1...3 {
      program.send(SIGINT)
      program.wait { $0.output.split(separator: "\n").count == 1 + 2 * count }
    }
    program.send(SIGTERM)
    #expect(program.finish(seconds: 5).status == .signalled(SIGTERM))
  }

  /// Loops that no turn's limit ends in time.
  private static let stuck = [
    "on(app, 'willQuit', function() while true do end end)",
    "on(app, 'willQuit', function() sleep(1000) end)",
    "hot.dispose(function() while true do end end)",
    "effect(function() return function() while true do end end end)",
    "after(0.1, function() print('busy') while true do end end)",
    "while true do end",
  ]

  @Test(arguments: stuck, [SIGTERM, SIGHUP])
  func `a signal ends it within two seconds, whatever runs`(
    _ script: String, _ number: Int32
  ) throws {
    let program = try start(
      "print('ready') every(60, function() end) " + script, ["--turn", "3600"])
    program.wait { $0.output.hasPrefix("ready\n") }
    usleep(300_000)
    program.send(number)
    let start = ContinuousClock.now
    #expect(program.finish(seconds: 20).status == .signalled(number))
    // Leaves room for a busy machine; without a bound it would be an hour.
    #expect(start.duration(to: .now) < .seconds(10))
  }

  @Test(arguments: stuck)
  func `two interrupts end it, whatever runs`(_ script: String) throws {
    let program = try start(
      "print('ready') every(60, function() end) " + script, ["--turn", "3600"])
    program.wait { $0.output.hasPrefix("ready\n") }
    usleep(300_000)
    program.send(SIGINT)
    usleep(200_000)
    program.send(SIGINT)
    #expect(program.finish(seconds: 20).status == .exited(130))
  }

  @Test func `an interrupt that stops all that was left to do is still an interrupt`() throws {
    for script in [
      "after(0.1, function() print('busy') while true do end end)",
      "print('busy') sleep(0.1) while true do end",
    ] {
      let program = try start(script, ["--turn", "3600"])
      program.wait { $0.output == "busy\n" }
      usleep(200_000)
      program.send(SIGINT)
      #expect(program.finish(seconds: 20).status == .exited(130), "\(script)")
    }
  }

  @Test func `one interrupt ends it although its timer goes on for ever`() throws {
    let program = try start(
      "print('ready') every(0.01, function() while true do end end)", ["--turn", "3600"])
    program.wait { $0.output == "ready\n" }
    usleep(300_000)
    program.send(SIGINT)
    #expect(program.finish(seconds: 30).status == .exited(130))
  }

  // MARK: Times

  @Test func `the time that --for gives ends it, whoever wants it to stay`() throws {
    let program = try start(Self.app(returning: "false"), ["--for", "0.2"])
    let outcome = program.finish(seconds: 10)
    #expect(outcome.status == .exited(0))
    #expect(outcome.outputLines == ["ready", "asked", "answered", "gone", "disposed"])
  }

  @Test func `errors of the end count`() throws {
    let failing = "every(60, function() end) hot.dispose(function() error('rotten') end)"
    #expect(try start(failing, ["--for", "0.1"]).finish().status == .exited(1))
    #expect(
      try start("hot.dispose(function() error('rotten') end)").finish().status == .exited(1))
    #expect(try start("hot.dispose(error) exit(5)").finish().status == .exited(5))
  }

  @Test func `a picture is taken after the time that --for gives`() throws {
    let script = """
      local m = model "m" { n = 0 }
      every(0.05, function() m.n = m.n + 1 end)
      return view.label { bindTo = { text = "m.n | format('n=%d')" } }
      """
    let outcome = try start(script, ["--snapshot", "--size", "20x2", "--for", "0.5"]).finish()
    #expect(outcome.status == .exited(0), "\(outcome.errors)")
    let count = outcome.output.split(separator: "=").last.flatMap { Int($0.prefix { $0.isNumber }) }
    #expect((count ?? 0) >= 2, "\(outcome.output)")
    let short = try start(
      "after(0.1, function() print('done') end) return view.label { text = 'x' }",
      ["--snapshot", "--size", "20x2", "--for", "3600"]
    ).finish()
    #expect(short.output.hasPrefix("done\nx"), "it ends when nothing is left to do")
    let left = try start(
      "after(0.1, function() exit(4) end) return view.label { text = 'x' }",
      ["--snapshot", "--for", "3600"]
    ).finish()
    #expect(left.status == .exited(4) && left.output.isEmpty)
  }

  @Test func `the picture comes before the end`() throws {
    let outcome = try start(
      """
      hot.dispose(function() print("disposed") end)
      return view.label { text = "seen" }
      """, ["--snapshot", "--size", "8x1"]
    ).finish()
    #expect(outcome.outputLines == ["seen", "disposed"])
  }

  @Test func `exit in the main script asks too`() throws {
    let outcome = try start(Self.app(exiting: 3)).finish()
    #expect(outcome.status == .exited(3))
    #expect(outcome.outputLines == ["ready", "asked", "answered", "disposed"])
  }

  @Test func `a watched app ends in order, also while its new version is broken`() throws {
    let program = try start(Self.app(), ["--watch"])
    program.wait { $0.output == "ready\n" }
    folder.write("this is no Lua", to: "app.lua")
    program.wait { $0.errors.contains("E0401") }
    program.send(SIGINT)
    let outcome = program.finish()
    #expect(outcome.status == .exited(130))
    #expect(outcome.outputLines == ["ready", "asked", "answered", "gone", "disposed"])
  }

  @Test func `an app that never began ends at once`() throws {
    let program = try start("this is no Lua", ["--watch"])
    program.wait { $0.errors.contains("E0401") }
    program.send(SIGTERM)
    #expect(program.finish(seconds: 5).status == .signalled(SIGTERM))
  }

  @Test func `a prompt's end is the app's end`() throws {
    folder.write(
      """
      on(app, "willQuit", function() print("asked") return false end)
      hot.dispose(function() print("disposed") end)
      """, to: "app.lua")
    for code in [
      "print(1)", "exit(0)", "effect(function() return function() print('own') end end)",
    ] {
      let outcome = try Program.run(["repl", "app.lua", "-e", code], in: folder)
      let lines = outcome.outputLines.filter { $0 != "1" && $0 != "effect" }
      #expect(lines.filter { $0 != "own" } == ["asked", "disposed"], "\(code)")
      #expect(lines.contains("own") == code.contains("own"))
      #expect(outcome.status == .exited(0))
    }
  }

  // MARK: Errors of people

  private static let form = """
    local m = model "m" {
      age = property { default = 36, type = "integer", message = "Enter a whole number" },
    }
    local age = view.field { bindTo = { text = "<> m.age" } }
    return view.column { age, view.label { text = function() return age.error or "" end } }
    """

  @Test func `what a person mistypes is no error of the program`() throws {
    let outcome = try start(
      Self.form, ["--snapshot", "--size", "40x3", "--keys", "Tab End x y z"]
    ).finish()
    #expect(outcome.status == .exited(0))
    #expect(outcome.errors == "")
    #expect(outcome.output.contains("Enter a whole number"))
    let json = try start(Self.form, ["--json", "--keys", "Tab End x", "--log", "debug"]).finish()
    #expect(json.status == .exited(0))
    #expect(!json.errors.contains("E0106") && !json.errors.contains("1x"), "\(json.errors)")
  }

  @Test func `what a person mistypes is none either where a handler has it committed`() throws {
    let script = """
      local rows = controller.list { name = "rows", content = list { { n = 1 } },
        newObject = function() return object { n = 0 } end }
      return view.column {
        view.field { bindTo = { text = "<> rows.selection.n" } },
        keys = { F2 = function() rows:add() end },
      }
      """
    let outcome = try start(
      script, ["--snapshot", "--size", "40x3", "--keys", "Tab End x F2"]
    ).finish()
    #expect(outcome.status == .exited(0))
    #expect(outcome.errors == "")
    #expect(outcome.output.contains("1x"))
  }

  @Test func `those who are asked see what a delay held back`() throws {
    let script = """
      local d = model "d" { text = "", isSaved = true }
      observe(d, "text", function() d.isSaved = false end)
      on(app, "willQuit", function() print("saved", d.isSaved, d.text) end)
      return view.column {
        view.field { bindTo = { text = { path = "<> d.text", delay = 60 } } },
        keys = { F2 = function() exit(0) end },
      }
      """
    let outcome = try start(script, ["--keys", "Tab a b F2"]).finish()
    #expect(outcome.outputLines == ["saved\tfalse\tab"])
  }

  @Test func `the status line tells what is wrong now`() throws {
    let program = try startLive(
      """
      local m = model "m" { n = 1, shown = "" }
      bind("m.n -> m.shown", { transform = function(n) if n > 1 then error("too much") end return n end })
      return view.column {
        view.field { bindTo = { text = "<> m.n" } },
        view.label { text = "READY" },
      }
      """)
    terminal.wait(for: "READY")
    terminal.type("\t\u{1b}[F2", until: "1 error")
    terminal.clear()
    terminal.type("\u{7f}", until: "app.lua")
    terminal.read()
    #expect(!terminal.screen.contains("error"))
    terminal.type("\u{3}")
    #expect(finishLive(program) == .exited(130))
  }
}
