import TestFolders
import Glibc
import Testing

/// `repl --attach`, and the sockets of `run`.
@Suite(.serialized) struct AttachTests {
  let folder: ScratchFolder
  let environment: [String: String]

  init() throws {
    folder = try ScratchFolder(folders: "run")
    environment = ["XDG_RUNTIME_DIR": folder.path + "/run"]
    folder.write(
      """
      local fruit = model "fruit" { name = "apple" }
      every(0.02, function() end)
      function f() return 1 end
      """, to: "fruit.lua")
  }

  private var sockets: [String] { folder.entries(of: "run/tidelock") }

  /// An app that listens. Its output goes to a folder of its own.
  private func start(_ arguments: [String] = ["run", "../fruit.lua"]) throws -> (
    program: Program, folder: ScratchFolder
  ) {
    let own = try ScratchFolder()
    own.link("fruit.lua", to: folder.path + "/fruit.lua")
    var arguments = arguments
    arguments[1] = "fruit.lua"
    let program = try Program(arguments, in: own, environment: environment)
    program.wait { sockets.contains("fruit-\($0.process)") }
    return (program, own)
  }

  private func attach(_ arguments: String..., input: String? = nil) throws -> Program.Outcome {
    try Program.run(
      ["repl", "--attach"] + arguments, in: folder, environment: environment, input: input)
  }

  @Test func `evaluates in the app that runs, and leaves it running`() throws {
    let app = try start()
    let outcome = try attach(
      "-e", "fruit.name", "-e", "local x = 20", "-e", "print('hi') return x + 1")
    #expect(outcome.errors.contains("global 'fruit'"))
    #expect(outcome.status == .exited(1))
    let good = try attach(
      "fruit", "-e", "models.fruit.name", "-e", "local x = 20", "-e", "print('hi') return x + 1")
    #expect(good.output == "\"apple\"\nhi\n21\n")
    #expect(good.errors == "")
    #expect(good.status == .exited(0))
    #expect(app.program.output == "")
    let script = try attach(
      "\(app.program.process)", input: "for i = 1, 2 do\nprint(i)\nend\nx.y\n")
    #expect(script.output == "1\n2\n")
    #expect(script.status == .exited(1))
    let json = try attach("--json", "-e", "1 + 1", "-e", "nil + 1")
    #expect(json.output == "{\"value\":\"2\"}\n")
    #expect(json.errors.hasPrefix("{\"severity\":\"error\",\"code\":\"E0402\""))
    app.program.send(SIGTERM)
    #expect(app.program.finish().status == .signalled(SIGTERM))
    #expect(sockets == [])
  }

  @Test func `an app cannot steer the terminal of the prompt`() throws {
    let app = try start()
    let outcome = try attach(
      "-e", #"print('\27]0;x\7\nnext')"#, "-e", #"error('\27[2J', 0)"#, "--color", "always")
    #expect(outcome.output == "\\27]0;x\\7\nnext\n")
    #expect(outcome.errors.contains("\\27[2J") && !outcome.errors.contains("\u{1b}[2J"))
    #expect(outcome.errors.contains("\u{1b}[1;31merror[E0402]:\u{1b}[0m"))
    withExtendedLifetime(app) {}
  }

  @Test func `says what there is to attach to`() throws {
    let none = try attach("-e", "1")
    #expect(none.status == .exited(69))
    #expect(none.errors.contains("no app runs"))
    let one = try start(), other = try start()
    let several = try attach("-e", "1")
    #expect(several.status == .exited(69))
    #expect(several.errors.contains("fruit-\(one.program.process)"))
    #expect(several.errors.contains("fruit-\(other.program.process)"))
    #expect(try attach("fruit-\(other.program.process)", "-e", "1").output == "1\n")
    let wrong = try attach("friut", "-e", "1")
    #expect(wrong.status == .exited(69))
    #expect(wrong.errors.contains("did you mean \"fruit\"?"))
    #expect(
      try Program.run(["repl", "x.lua", "--attach", "fruit"], in: folder).status == .exited(64))
    #expect(try attach("fruit", "--allow", "run").status == .exited(64))
  }

  @Test func `a chunk ends the app only where it says so`() throws {
    let app = try start()
    #expect(try attach("-e", "error('mine')").status == .exited(1))
    #expect(try attach("-e", "1").status == .exited(0))
    // It leaves the prompt, whatever the chunk does about it.
    for code in ["exit(7)", "pcall(exit, 7)", "after(0.01, function() exit(7) end) sleep(1)"] {
      let left = try attach("-e", code, "-e", "print('not reached')")
      #expect(left.status == .exited(7) && left.output == "" && left.errors == "")
    }
    #expect(try attach("-e", "exit", "-e", "print('not reached')").output == "")
    let last = try attach("-e", ":stop 7", "-e", "sleep(10)")
    #expect(last.status == .exited(0))
    #expect(last.errors.contains("fruit has ended, with exit code 7"))
    #expect(app.program.finish().status == .exited(7))
    #expect(sockets == [])
  }

  @Test func `code of the app that calls exit ends it`() throws {
    folder.write(
      "model 'fruit' {} every(0.02, function() end) function leave() exit(3) end", to: "fruit.lua")
    let app = try start()
    let outcome = try attach("-e", "leave()")
    #expect(outcome.status == .exited(69) || outcome.status == .exited(0))
    #expect(app.program.finish().status == .exited(3))
  }

  @Test func `shows printed lines and watched values as JSON, and the line of the input`() throws {
    let app = try start()
    let outcome = try attach(
      "--json",
      input: "print('a\\27')\n:watch models.fruit.name\nmodels.fruit.name = 'fig'\n"
        + "1\n\nerror('x')\n")
    #expect(
      outcome.outputLines == [
        #"{"output":"a\u001b"}"#, #"{"output":"models.fruit.name: \"apple\" -> \"fig\""}"#,
        #"{"value":"1"}"#,
      ])
    #expect(outcome.errors.contains(#""file":"repl","line":6"#))
    withExtendedLifetime(app) {}
  }

  @Test func `is told why a save was not taken, and lists that until one is`() throws {
    let app = try start(["run", "fruit.lua", "--watch"])
    let terminal = try Terminal()
    let prompt = try Program(
      ["repl", "--attach"], in: folder, output: .terminal(terminal.name), environment: environment)
    terminal.wait(for: "> ")
    folder.write("error({ code = 42 })", to: "fruit.lua")
    terminal.wait(for: "{ code = 42 }")
    terminal.wait(for: "not reloaded")
    terminal.clear()
    terminal.type(":errors\r", until: "{ code = 42 }")
    folder.write("model \"fruit\" { name = \"fig\" }", to: "fruit.lua")
    terminal.wait(for: "reloaded 1 of 1 modules")
    terminal.clear()
    terminal.type(":errors\r", until: "There are no errors.")
    terminal.type("exit()\r")
    #expect(prompt.finish(seconds: 10, meanwhile: terminal.read).status == .exited(0))
    #expect(terminal.isUsual)
    #expect(try attach("-e", "3").output == "3\n")
    withExtendedLifetime(app) {}
  }

  @Test(arguments: ["while true do end", "sleep(1000)"])
  func `an interrupt stops the chunk and never the app`(_ code: String) throws {
    let app = try start()
    let prompt = try Program(
      ["repl", "--attach", "-e", "print('begun') \(code)"], in: folder, environment: environment)
    prompt.wait { $0.output.contains("begun") }
    prompt.send(SIGINT)
    let outcome = prompt.finish()
    #expect(outcome.status == .exited(1))
    #expect(outcome.errors.contains("interrupted"))
    #expect(try attach("-e", "2").output == "2\n")
    withExtendedLifetime(app) {}
  }

  @Test func `a killed app is noticed, and its socket is taken away by the next`() throws {
    let app = try start()
    let prompt = try Program(
      ["repl", "--attach", "-e", "print('begun') sleep(1000)"], in: folder, environment: environment
    )
    prompt.wait { $0.output.contains("begun") }
    app.program.send(SIGKILL)
    let outcome = prompt.finish()
    #expect(outcome.status == .exited(69))
    #expect(outcome.errors.contains("fruit has ended"))
    #expect(sockets == ["fruit-\(app.program.process)"])
    let next = try start()
    #expect(sockets == ["fruit-\(next.program.process)"])
  }

  @Test func `is told of a reload, and keeps its variables`() throws {
    let app = try start(["run", "fruit.lua", "--watch"])
    let terminal = try Terminal()
    let prompt = try Program(
      ["repl", "--attach"], in: folder, output: .terminal(terminal.name), environment: environment)
    terminal.wait(for: "> ")
    terminal.type("local x = f() + 40\r")
    // The terminal is given back while a chunk runs, and taken again after it.
    terminal.wait(for: "[?2004l\u{1b}[?2004h")
    folder.write("model \"fruit\" { name = \"fig\" } function f() return 2 end", to: "fruit.lua")
    terminal.wait(for: "reloaded 1 of 1 modules")
    terminal.clear()
    terminal.type("x + f()\r", until: "43")
    terminal.type("models.fru\t.na\t\r", until: "\"fig\"")
    // It dies, and the terminal is as it was.
    app.program.send(SIGKILL)
    terminal.wait(for: "fruit has ended")
    let ending = prompt.finish(seconds: 10, meanwhile: terminal.read).status
    #expect(ending == .exited(69))
    #expect(terminal.isUsual)
  }

  @Test func `Ctrl-C at the prompt stops what runs and stays`() throws {
    let app = try start()
    let terminal = try Terminal()
    let prompt = try Program(
      ["repl", "--attach"], in: folder, output: .terminal(terminal.name), environment: environment)
    terminal.wait(for: "> ")
    for code in ["while true do end", "sleep(100)", "('a'):rep(99):find(('a*'):rep(50) .. 'b')"] {
      terminal.clear()
      terminal.type(code + "\r")
      terminal.wait(for: "\r\n")
      usleep(100_000)
      terminal.type("\u{3}", until: "interrupted")
      terminal.wait(for: "> ")
    }
    terminal.clear()
    terminal.type("for i = 1, 2 do\r", until: "…> ")
    terminal.type("print(i * 100)\rend\r", until: "200\r\n\u{1b}[?2004h")
    terminal.type("\u{4}")
    #expect(prompt.finish(seconds: 10, meanwhile: terminal.read).status == .exited(0))
    #expect(terminal.isUsual)
    #expect(try attach("-e", "3").output == "3\n")
    withExtendedLifetime(app) {}
  }

  // MARK: Without a socket

  @Test func `a run does without where there is no place for a socket`() throws {
    folder.write("print('runs')", to: "plain.lua")
    folder.write("", to: "file")
    chmod(folder.path + "/run", 0o755)
    for path in [folder.path + "/file", folder.path + "/missing/folder"] {
      let outcome = try Program.run(
        ["run", "plain.lua", "--log", "notice"], in: folder, environment: ["XDG_RUNTIME_DIR": path]
      )
      #expect(outcome.output == "runs\n")
      #expect(outcome.status == .exited(0))
    }
    // One that others may use is not taken.
    folder.makeFolder("run/tidelock")
    let outcome = try Program.run(
      ["run", "plain.lua", "--log", "notice"], in: folder, environment: environment)
    #expect(outcome.status == .exited(0))
    #expect(outcome.errors.contains("no prompt can attach"))
    #expect(outcome.errors.contains("chmod 700"))
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `a signal that ends the app takes the socket away`(_ number: Int32) throws {
    let app = try start()
    app.program.send(number)
    let ending = app.program.finish().status
    #expect(ending == (number == SIGINT ? .exited(130) : .signalled(number)))
    #expect(sockets == [])
  }
}
