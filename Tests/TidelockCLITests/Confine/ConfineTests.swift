import TestFolders
import Glibc
import Testing

/// The wall that the kernel puts around the program.
@Suite(.enabled(if: Kernel.confines, "the kernel cannot confine the program here"))
struct `A confined program` {
  let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder(folders: "app", "data", "out", "run")
    chmod(folder.path + "/run", 0o700)
    folder.write("one\n", to: "data/words.txt")
  }

  private var environment: [String: String] {
    [
      "XDG_STATE_HOME": folder.path + "/state", "XDG_RUNTIME_DIR": folder.path + "/run",
      "HOME": folder.path,
    ]
  }

  private func run(
    _ script: String, _ arguments: String..., command: String = "run"
  ) throws -> Program.Outcome {
    folder.write(script, to: "app/app.lua")
    return try Program.run(
      [command, "app/app.lua", "--confine", "required"] + arguments, in: folder,
      environment: environment)
  }

  @Test func `knows how deep its stack is, also inside the wall`() throws {
    let outcome = try run(
      """
      local r = object { value = 1 }
      for _ = 1, 30000 do r = ref(r, "value") end
      print(select(2, pcall(function() return r.value end)))
      """)
    #expect(outcome.status == .exited(0))
    #expect(outcome.output.contains("computed values nest too deep to evaluate"))
  }

  // MARK: Programs

  @Test func `starts allowed programs outside of the wall, and hears how they end`() throws {
    let outcome = try run(
      """
      print(os.execute("exit 3"))
      print(os.execute("kill -9 $$"))
      print(os.execute("echo shown; echo told >&2; grep -c NoNewPrivs:.*0 /proc/self/status"))
      local reader = io.popen("echo read; cat data/words.txt")
      print(reader:read("a"), reader:close())
      local writer = io.popen("cat > out/written; exit 7", "w")
      writer:write("text")
      print(writer:close())
      """, "--allow", "run")
    #expect(outcome.status == .exited(0))
    #expect(
      outcome.outputLines == [
        "nil\texit\t3", "nil\tsignal\t9", "shown", "1", "true\texit\t0", "read", "one",
        "\ttrue\texit\t0", "nil\texit\t7",
      ])
    #expect(outcome.errors == "told\n")
    #expect(folder.read("out/written") == "text")
  }

  @Test func `lets sandboxed specs reach what they are allowed, and nothing else`() throws {
    folder.makeFolder("app/spec")
    folder.write(
      """
      it("reads and writes", function()
        local file = assert(io.open("../data/words.txt"))
        assert.equal("one", file:read())
        file:close()
        file = assert(io.open("../out/made.txt", "w"))
        file:write("made")
        file:close()
        assert.equal("one\\n", _G.file.read("../data/words.txt"))
      end)
      it("runs programs", function()
        assert.equal("ran", io.popen("echo ran"):read())
      end)
      it("reaches nothing else", function()
        assert.has_error(function() assert(io.open("../secret.txt")) end)
      end)
      """, to: "app/spec/reach_spec.lua")
    folder.write("secret", to: "secret.txt")
    let allowed = ["--allow", "read=../data", "--allow", "write=../out", "--allow", "run"]
    let arguments = ["test", "--sandbox", "--confine", "required", "-C", "app"]
    let outcome = try Program.run(arguments + allowed, in: folder, environment: environment)
    #expect(outcome.status == .exited(0), "\(outcome.output) \(outcome.errors)")
    #expect(folder.read("out/made.txt") == "made")
    let refused = try Program.run(arguments, in: folder, environment: environment)
    #expect(refused.status == .exited(1))
    #expect(refused.output.contains("--allow read="), "\(refused.output)")
  }

  @Test func `starts none where none are allowed`() throws {
    let outcome = try run("print(os.execute()) os.execute('true')")
    #expect(outcome.output == "false\n")
    #expect(outcome.errors.contains("run with --allow run"))
  }

  @Test func `ends a program with the turn that waits for it`() throws {
    let outcome = try run(
      "os.execute('echo $$ > out/number; sleep 60')", "--allow", "run", "--turn", "0.3")
    #expect(outcome.errors.contains("the turn took too long"))
    let number = try #require(Int32(folder.read("out/number").dropLast()))
    #expect(kill(number, 0) != 0)
  }

  @Test func `ends one that went to another group, and waits for nobody whom it has left`() throws {
    let outcome = try run(
      """
      local leave = "setsid sleep 25 & echo $$ > out/number;"
        .. " exec perl -e 'setpgrp(0, getpgrp(getppid)); sleep 60'"
      local start = now()
      after(0.01, function() os.execute(leave) end)
      after(0.02, function() print(now() - start < 20) exit() end)
      """, "--allow", "run", "--turn", "0.5")
    #expect(outcome.errors.contains("the turn took too long"))
    #expect(outcome.output == "true\n")
    let number = try #require(Int32(folder.read("out/number").dropLast()))
    for _ in 0..<200 where kill(number, 0) == 0 { usleep(10_000) }
    #expect(kill(number, 0) != 0)
  }

  @Test func `takes its programs with it when it is killed`() throws {
    folder.write(
      "local p = io.popen('echo $$ > out/number; sleep 60') every(1, function() end) print(p)",
      to: "app/app.lua")
    let program = try Program(
      ["run", "app/app.lua", "--confine", "required", "--allow", "run"], in: folder,
      environment: environment)
    program.wait { _ in !folder.read("out/number").isEmpty }
    let number = try #require(Int32(folder.read("out/number").dropLast()))
    #expect(kill(number, 0) == 0)
    program.send(SIGKILL)
    for _ in 0..<2000 where kill(number, 0) == 0 { usleep(10_000) }
    #expect(kill(number, 0) != 0)
  }

  @Test func `lives on when the terminal's signals come to its group`() throws {
    folder.write("every(0.02, function() print(os.execute('true')) end)", to: "app/app.lua")
    let program = try Program(
      ["run", "app/app.lua", "--confine", "required", "--allow", "run"], in: folder,
      environment: environment)
    program.wait { $0.output.contains("true") }
    kill(-program.process, SIGWINCH)
    let length = program.output.count
    program.wait { $0.output.count > length + 20 }
    kill(-program.process, SIGINT)
    #expect(program.finish().status == .exited(130))
  }

  @Test(arguments: ["net=localhost:80", "net=*.fruit.example,net=[::1]", "run=git"])
  func `stands in full where single servers and programs are allowed`(allowed: String) throws {
    let outcome = try run(
      "print(pcall(os.execute, 'true'))", "--allow", allowed, "--confine", "required")
    #expect(outcome.status == .exited(0), "\(outcome.errors)")
    #expect(outcome.output.hasPrefix("false\t"))
  }

  // MARK: Files

  @Test func `reads and writes what --allow says, and has temporary files`() throws {
    let outcome = try run(
      """
      print(io.open("data/words.txt"):read("a"))
      local file = io.open("out/a", "w") file:write("1") file:close()
      print(os.rename("out/a", "out/b"), os.remove("out/b"))
      local scratch = io.tmpfile() scratch:write("kept") scratch:seek("set")
      print(scratch:read("a"))
      """, "--allow", "read=data,write=out")
    #expect(outcome.status == .exited(0), "\(outcome.errors)")
    #expect(outcome.output == "one\n\ntrue\ttrue\nkept\n")
    #expect(folder.entries(of: "out") == [])
  }

  @Test func `keeps settings, and leaves no folder where there are none`() throws {
    let script = """
      local settings = controller.settings { initialValues = { runs = 0 } }
      settings.values.runs = settings.values.runs + 1
      print(settings.values.runs)
      """
    #expect(try run("print(1)").output == "1\n")
    #expect(folder.entries(of: "state/tidelock") == [])
    #expect(try run(script).output == "1\n")
    #expect(try run(script).output == "2\n")
    #expect(folder.entries(of: "state/tidelock").count == 1)
  }

  @Test func `leaves no empty folder where it was killed`() throws {
    folder.write("print('runs') every(100, function() end)", to: "killed.lua")
    let program = try Program(
      ["run", "killed.lua", "--confine", "required"], in: folder, environment: environment)
    program.wait { $0.output == "runs\n" }
    #expect(folder.entries(of: "state/tidelock").count == 1)
    program.send(SIGKILL)
    _ = program.finish()
    // The helper process sees that its end has come.
    for _ in 0..<500 where !folder.entries(of: "state/tidelock").isEmpty { usleep(10_000) }
    #expect(folder.entries(of: "state/tidelock") == [])
  }

  @Test func `does not tell scripts where their settings lie, and does tell the person`() throws {
    let outcome = try run(
      """
      local settings = controller.settings { name = "window", appliesImmediately = false }
      settings.values.text = ("x"):rep(1000)
      print(select(2, settings:save()))
      print(pcall(function() return settings.path end))
      settings.appliesImmediately = true
      settings.values.text = ("y"):rep(1000)
      for _, error in ipairs(errors()) do print(error.message, error.location, error.path) end
      """, "--limit", "settings=100")
    #expect(outcome.output.contains("the settings in window.json are not written"))
    #expect(outcome.output.contains("has no property \"path\""))
    #expect(!outcome.output.contains(folder.path) && !outcome.output.contains("state"))
    #expect(outcome.errors.contains("  at \(folder.path)/state/tidelock/app-"), "\(outcome.errors)")
  }

  @Test func `writes a picture to a new file and to one that is there`() throws {
    let script = "return view.label { text = 'hi' }"
    for _ in 1...2 {
      let outcome = try run(script, "--snapshot-svg", "out/picture.svg")
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
      #expect(folder.read("out/picture.svg").hasSuffix("</svg>\n"))
    }
    #expect(try run("error 'x'", "--snapshot-svg", "out/none.svg").status == .exited(65))
    #expect(folder.entries(of: "out") == ["picture.svg"])
    let outcome = try run(script, "--snapshot-svg", "missing/picture.svg")
    #expect(outcome.status == .exited(1))
    #expect(outcome.errors.contains("missing/picture.svg cannot be written: No such file"))
  }

  private func watch(
    _ script: String, confine: String = "required", below part: String = ""
  ) throws -> Program {
    try Program(
      ["run", script, "--watch", "--confine", confine], in: folder, below: part,
      environment: environment)
  }

  @Test func `reloads from a folder that was made anew`() throws {
    folder.write("print('one', (require 'words'))", to: "app/app.lua")
    folder.write("return 1", to: "app/words.lua")
    let program = try watch("app/app.lua")
    program.wait { $0.output == "one\t1\n" }
    folder.makeFolder("next")
    folder.write("print('two', (require 'words'))", to: "next/app.lua")
    folder.write("return 2", to: "next/words.lua")
    folder.rename("app", to: "former")
    folder.rename("next", to: "app")
    program.wait { $0.output.hasSuffix("two\t2\n") }
    folder.write("return 3", to: "app/words.lua")
    program.wait { $0.output.hasSuffix("two\t3\n") }
  }

  @Test(arguments: ["required", "off"], [true, false])
  func `reloads from the folder it was started in when that was made anew`(
    _ confine: String, _ isReplaced: Bool
  ) throws {
    folder.write("print('one', (require 'words'))", to: "app/app.lua")
    folder.write("return 1", to: "app/words.lua")
    let program = try watch("app.lua", confine: confine, below: "app")
    program.wait { $0.output == "one\t1\n" }
    folder.makeFolder("next")
    folder.write("print('two', (require 'words'))", to: "next/app.lua")
    folder.write("return 2", to: "next/words.lua")
    if isReplaced { folder.rename("app", to: "former") } else { folder.removeFolder("app") }
    folder.rename("next", to: "app")
    program.wait { $0.output.hasSuffix("two\t2\n") }
    folder.write("return 3", to: "app/words.lua")
    program.wait { $0.output.hasSuffix("two\t3\n") }
  }

  @Test func `reloads through a link that is turned elsewhere, and a script that is one`() throws {
    folder.makeFolder("other")
    folder.write("print('one')", to: "app/app.lua")
    folder.write("print('two')", to: "other/app.lua")
    folder.link("current", to: "app")
    folder.link("out/script.lua", to: "../other/app.lua")
    let program = try watch("current/app.lua")
    program.wait { $0.output == "one\n" }
    folder.link("turned", to: "other")
    folder.rename("turned", to: "current")
    program.wait { $0.output.hasSuffix("two\n") }
    program.send(SIGTERM)
    _ = program.finish()
    let linked = try Program(
      ["run", folder.path + "/out/script.lua", "--watch", "--confine", "required"],
      in: try ScratchFolder(), environment: environment)
    linked.wait { $0.output == "two\n" }
    folder.write("print('three')", to: "other/.new")
    folder.rename("other/.new", to: "other/app.lua")
    linked.wait { $0.output.hasSuffix("three\n") }
  }

  // MARK: Prompts

  @Test func `is attached to`() throws {
    folder.write("model 'm' { n = 1 } every(1, function() end) print('up')", to: "app/app.lua")
    let program = try Program(
      ["run", "app/app.lua", "--confine", "required"], in: folder, environment: environment)
    program.wait { $0.output == "up\n" }
    let outcome = try Program.run(
      ["repl", "--attach", "app", "-e", "models.m.n = 5", "-e", "models.m.n"],
      in: try ScratchFolder(), environment: environment)
    #expect(outcome.output == "5\n", "\(outcome.errors)")
    program.send(SIGTERM)
    _ = program.finish()
    #expect(folder.entries(of: "run/tidelock") == [])
  }

  @Test func `edits, saves and loads at the prompt`() throws {
    folder.write("return 7", to: "data/words.lua")
    let outcome = try Program.run(
      ["repl", "--confine", "required"], in: folder,
      environment: environment.merging(["EDITOR": "sed -i s/1/41/"]) { $1 },
      input: """
        x = 1
        :edit
        x
        :save kept.lua
        :load data/words.lua
        :save /tmp/tidelock-elsewhere.lua

        """)
    #expect(
      outcome.outputLines == ["41", "3 chunks saved to kept.lua", "7"], "\(outcome.errors)")
    #expect(folder.read("kept.lua").hasPrefix("x = 1\n"))
    #expect(outcome.status == .exited(1))
    #expect(outcome.errors.contains("Permission denied; start the prompt in that folder"))
    #expect(access("/tmp/tidelock-elsewhere.lua", F_OK) != 0)
  }

  @Test func `keeps the prompt's history`() throws {
    let terminal = try Terminal()
    let program = try Program(
      ["repl", "--confine", "required"], in: folder, output: .terminal(terminal.name),
      environment: environment)
    terminal.wait(for: "> ")
    terminal.type("6 * 7\r", until: "42")
    terminal.type("\u{4}")
    #expect(program.finish(meanwhile: terminal.read).status == .exited(0))
    #expect(folder.read("state/tidelock/history") == "6 * 7\n")
  }

  @Test func `prints the causes of a value`() throws {
    folder.write("local m = model 'm' { n = 1 } m.n = 2", to: "app/app.lua")
    let outcome = try Program.run(
      ["why", "app/app.lua", "m.n", "--confine", "required"], in: folder, environment: environment)
    #expect(outcome.output.contains("now 2"), "\(outcome.errors)")
  }

  // MARK: Tests

  @Test func `runs sandboxed specs with snapshots, coverage and reports`() throws {
    folder.makeFolder("spec")
    folder.write(
      """
      it("shows", function() assert.matches_snapshot("text") end)
      it("adds", function() assert.equal(2, 1 + 1) end)
      """, to: "spec/sum_spec.lua")
    func test(_ arguments: String...) throws -> Program.Outcome {
      try Program.run(
        ["test", "--sandbox", "--confine", "required"] + arguments, in: folder,
        environment: environment)
    }
    let updated = try test("-u", "-j", "2")
    #expect(updated.status == .exited(0), "\(updated.output)\(updated.errors)")
    #expect(folder.read("spec/__snapshots__/sum_spec.snap").contains("| text"))
    #expect(try test("-c").status == .exited(0))
    #expect(folder.entries(of: "coverage") == ["index.html", "lcov.info", "report.txt"])
    #expect(try test("-o", "junit", "-Xoutput", "report.xml").status == .exited(0))
    #expect(folder.read("report.xml").contains("testsuite"))
    let outcome = try Program.run(["test", "--confine", "required"], in: folder)
    #expect(outcome.status == .exited(64))
    #expect(outcome.errors.contains("add --sandbox"))
  }

  // MARK: Kernels that give less

  @Test(arguments: [
    (Kernel.withoutLandlock, "files: the kernel has no Landlock"),
    (.withoutSeccomp, "system calls: seccomp is refused here"),
    (.withOldLandlock, "files: Landlock 1 does not prevent readable files from being truncated"),
    (.withLandlockOff, "files: Landlock is switched off in this kernel"),
  ])
  func `runs as far as the kernel can confine it, unless all is required`(
    kernel: Kernel, lack: String
  ) throws {
    folder.write("print 'ran'", to: "app/app.lua")
    folder.makeFolder("spec")
    folder.write("it('runs', function() end)", to: "spec/a_spec.lua")
    func run(_ arguments: String...) throws -> Program.Outcome {
      try Program.run(arguments, in: folder, environment: environment, kernel: kernel)
    }
    for command in [
      ["run", "app/app.lua"], ["repl", "app/app.lua", "-e", "1"], ["why", "app/app.lua", "m.n"],
      ["test", "--sandbox"],
    ] {
      let outcome = try Program.run(
        command + ["--confine", "required"], in: folder, environment: environment, kernel: kernel)
      #expect(outcome.status == .exited(69), "\(command)")
      #expect(!outcome.output.contains("ran"))
      #expect(outcome.errors.contains(lack), "\(command): \(outcome.errors)")
    }
    let told = try run("run", "app/app.lua", "--log", "info")
    #expect(told.status == .exited(0))
    #expect(told.output == "ran\n")
    #expect(told.errorLines.count { $0.contains("confined in part") && $0.contains(lack) } == 1)
    let silent = try run("run", "app/app.lua")
    #expect(silent.output == "ran\n")
    #expect(silent.errors == "")
    #expect(try run("run", "app/app.lua", "--confine", "off", "--log", "info").errors == "")
  }

  @Test func `has nothing to confine where it attaches`() throws {
    let outcome = try Program.run(["repl", "--attach", "--confine", "required"], in: folder)
    #expect(outcome.status == .exited(64))
  }
}
