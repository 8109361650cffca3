import Glibc
import TestFolders
import Testing

/// Files, programs and standard input, as apps use them behind the kernel's wall.
struct SourceTests: AppSuite {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder(folders: "data") }

  /// Runs a script's tasks until it calls `exit`.
  private func runTask(
    _ body: String, _ allowed: String = "read=data,write=data,run", input: String? = nil
  ) throws -> [String] {
    let script = """
      local function wait(fn) for _ = 1, 2000 do if fn() then return end sleep(0.005) end error("late") end
      spawn(function()
      \(body)
      exit()
      end)
      """
    folder.write(script, to: "app.lua")
    let outcome = try Program.run(
      ["run", "app.lua", "--allow", allowed], in: folder, input: input)
    #expect(outcome.status == .exited(0), "\(outcome.errors)")
    return outcome.outputLines
  }

  @Test(arguments: [
    ("file.read('data/x')", "reading \"data/x\" is not allowed; run with --allow read=data"),
    ("file.lines('data/x')", "--allow read=data"), ("file.tail('data/x')", "--allow read=data"),
    ("file.watch('data/x')", "--allow read=data"), ("file.list('data')", "--allow read=."),
    ("file.write('data/x', '')", "--allow write=data"), ("file.remove('data/x')", "--allow write="),
    ("file.append('data/x', '')", "--allow write="),
    ("file.rename('data/x', 'data/y')", "--allow write="),
    ("process.run('true')", "running \"true\" is not allowed; run with --allow run=true"),
    ("process.lines('true')", "--allow run=true"), ("process.start('true')", "--allow run=true"),
    (
      "http.get('http://localhost:1/')",
      "connecting to \"localhost:1\" is not allowed; run with --allow net=localhost:1"
    ),
    ("http.lines('https://example.org')", "--allow net=example.org:443"),
  ])
  func `without a flag each call says which one would allow it`(
    call: String, message: String
  ) throws {
    folder.write("spawn(function() \(call) end)", to: "app.lua")
    let outcome = try Program.run(["run", "app.lua"], in: folder)
    #expect(outcome.status == .exited(1))
    #expect(outcome.errors.hasPrefix("app.lua:1:"))
    #expect(outcome.errors.contains("error[E0416]"))
    #expect(outcome.errors.contains(message))
  }

  @Test func `files are read, written and listed`() throws {
    let lines = try runTask(
      """
      file.write("data/a", "one\\0two")
      file.append("data/a", "!")
      print(#file.read("data/a"), file.info("data/a").size, file.exists("data/b"))
      file.rename("data/a", "data/b")
      print(table.concat(file.list("data"), " "))
      file.remove("data/b")
      print(pcall(file.read, "data/b"))
      print(pcall(file.read, "data"))
      print(pcall(file.write, "data/no/x", ""))
      """)
    #expect(lines[0] == "8\t8\tfalse")
    #expect(lines[1] == "b")
    #expect(lines[2].contains("No such file"))
    #expect(lines[3].contains("not allowed") || lines[3].contains("folder"))
    #expect(lines[4].contains("No such file"))
  }

  @Test func `a file that is followed may be truncated, replaced, removed and made again`() throws {
    folder.write("1\n2\n3\n", to: "data/log")
    let lines = try runTask(
      """
      local s = file.tail("data/log", { lines = 2 })
      wait(function() return #s == 2 end)
      file.append("data/log", "4\\n")
      wait(function() return #s == 3 end)
      file.write("data/log", "5\\n")
      wait(function() return #s == 4 end)
      file.remove("data/log")
      wait(function() return s.error end)
      print(s.error, s.loading)
      file.write("data/log", "6\\n")
      wait(function() return #s == 5 end)
      print(table.concat(s:totable(), ","), s.error)
      """)
    #expect(lines[0].contains("is gone") && lines[0].hasSuffix("true"))
    #expect(lines[1] == "2,3,4,5,6\tnil")
  }

  @Test func `a stream that begins anew while it is read gets no other file's lines`() throws {
    folder.write((1...5000).map { "\($0)\n" }.joined(), to: "data/log")
    folder.write((1...5000).map { "x\($0)\n" }.joined(), to: "data/other")
    let lines = try runTask(
      """
      local s = file.lines("data/log")
      local others = {}
      for i = 1, 40 do
        s:refresh()
        others[i] = file.lines("data/other")
        sleep(0)
      end
      wait(function() return not s.loading and #s == 5000 end)
      local wrong = 0
      for i, line in ipairs(s:totable()) do if line ~= tostring(i) then wrong = wrong + 1 end end
      print(wrong, s.error)
      """)
    #expect(lines == ["0\tnil"])
  }

  @Test func `a file that is watched shows what it holds`() throws {
    folder.write("x", to: "data/a")
    let lines = try runTask(
      """
      local w = file.watch("data/a")
      wait(function() return w.text == "x" end)
      file.write("data/a", "yy")
      wait(function() return w.text == "yy" end)
      file.remove("data/a")
      wait(function() return not w.exists end)
      print(w.text, w.error)
      """)
    #expect(lines == ["nil\tnil"])
  }

  @Test func `what is no plain file is an error at the stream`() throws {
    mkfifo(folder.path + "/data/pipe", 0o600)
    folder.makeFolder("data/inner")
    let lines = try runTask(
      """
      for _, name in ipairs { "data/pipe", "data/inner", "data/none" } do
        local s = file.lines(name)
        wait(function() return not s.loading end)
        print(s.error)
      end
      print(pcall(file.read, "data/pipe"))
      print(pcall(file.write, "data/pipe", ""))
      """)
    #expect(lines[0].contains("no plain file"))
    #expect(lines[1].contains("folder"))
    #expect(lines[2].contains("No such file"))
    #expect(lines[3].contains("no plain file") && lines[4].contains("no plain file"))
  }

  @Test func `bytes that are no UTF-8 are kept, and an endless line is an error`() throws {
    let file = try #require(fopen(folder.path + "/data/bytes", "w"))
    fwrite([0xff, 0x41, 0x0a, 0x80] as [UInt8], 1, 4, file)
    fclose(file)
    folder.write(String(repeating: "x", count: 5000), to: "data/long")
    folder.write(
      """
      spawn(function()
        local s = file.lines("data/bytes")
        local long = file.lines("data/long")
        while s.loading or long.loading do sleep(0.01) end
        print(s[1]:byte(1), #s[1], s[2]:byte(1), long.error, #long)
        exit()
      end)
      """, to: "app.lua")
    let outcome = try Program.run(
      ["run", "app.lua", "--allow", "read=data", "--limit", "value=1000"], in: folder)
    #expect(outcome.output.hasPrefix("255\t2\t128\t"), "\(outcome.errors)")
    #expect(outcome.output.contains("more than 1000 bytes") && outcome.output.hasSuffix("\t0\n"))
  }

  @Test func `a program that is allowed by its name is the only one, and nothing takes its place`()
    throws
  {
    let lines = try runTask(
      """
      print(process.run("echo", { "a" }).output)
      print(pcall(process.run, "true"))
      print(pcall(process.run, "echo", {}, { environment = { LD_PRELOAD = "data/x.so" } }))
      print(pcall(process.run, "echo", {}, { environment = { ["BASH_FUNC_ls%%"] = "() { id; }" } }))
      print(pcall(process.run, "./tool", {}, { folder = "data" }))
      print(process.run("echo", { "b" }, { environment = { LC_ALL = "C", TZ = "UTC" }, folder = "/" }).code)
      print(pcall(os.execute, "true"))
      """, "read=data,write=data,run=echo,run=./tool")
    try #require(lines.count == 7, "\(lines)")
    #expect(lines[0] == "a")
    #expect(lines[1].contains("--allow run=true"))
    #expect(lines[2].contains("\"LD_PRELOAD\" could run another program"))
    #expect(lines[3].contains("\"BASH_FUNC_ls%%\""))
    #expect(lines[4].contains("\"./tool\""))
    #expect(lines[5] == "0")
    #expect(lines[6].contains("--allow run"))
  }

  @Test func `a fetch stands still while its context is disabled`() throws {
    let lines = try runTask(
      """
      local steps = 0
      context("page", function()
        resource(function() for _ = 1, 100 do sleep(0.001) steps = steps + 1 end end)
      end)
      context.disable("page")
      sleep(0.05)
      local before = steps
      sleep(0.1)
      print(before == steps)
      context.enable("page")
      wait(function() return steps == 100 end)
      print(steps)
      """)
    #expect(lines == ["true", "100"])
  }

  @Test func `programs give their output, and errors say what happened`() throws {
    let lines = try runTask(
      """
      local r = process.run("sh", { "-c", "cat; echo $FRUIT; pwd >&2; exit 3" },
        { input = ("x"):rep(300000), environment = { FRUIT = "fig" }, folder = "/" })
      print(#r.output, r.output:sub(-5, -2), r.error:sub(1, 1), r.code)
      print(pcall(process.run, "no-such-program"))
      print(pcall(process.run, "sleep", { 100 }, { timeout = 0.1 }))
      print(process.run("sh", { "-c", "kill -9 $$" }).signal)
      """)
    #expect(lines[0] == "300004\tfig\t/\t3" || lines[0].hasPrefix("300004"))
    #expect(lines[1].contains("\"no-such-program\" cannot be run: No such file"))
    #expect(lines[2].contains("timeout"))
    #expect(lines[3] == "9")
  }

  @Test func `lines of a program come as they are written, however many`() throws {
    let lines = try runTask(
      """
      local s = process.lines("sh", { "-c", "seq 200000; seq 200000 >&2; exit 4" }, { limit = 10 })
      wait(function() return not s.loading end)
      print(#s, s[10], s.received, s.error)
      """)
    #expect(lines == ["10\t200000\t200000\t\"sh\" ended with code 4: 200000"])
  }

  @Test func `a program that ignores being told to end is killed, with what it has started`() throws
  {
    let lines = try runTask(
      """
      local p = process.start("sh", { "-c", "trap '' TERM; echo ready; sleep 1000 & wait; sleep 1000" })
      wait(function() return p.output[1] end)
      print(p:kill())
      sleep(0.05)
      print(p.running)
      p:kill("KILL")
      print(p:wait().signal, p.running)
      context("part", function() p = process.start("sleep", { 1000 }) end)
      local id = p.id
      context.clear("part")
      wait(function() return process.run("sh", { "-c", "kill -0 " .. id .. " 2>&1" }).code > 0 end)
      print("gone")
      """)
    #expect(lines == ["true", "true", "9\tfalse", "gone"])
  }

  @Test func `a program that closes its input refuses more`() throws {
    let lines = try runTask(
      """
      local p = process.start("sh", { "-c", "exec <&-; echo closed; sleep 0.2" })
      wait(function() return p.output[1] end)
      local taken = true
      for _ = 1, 100 do taken = p:write(("x"):rep(10000)) if not taken then break end end
      print(taken, p:wait().code)
      local cat = process.start("cat")
      cat:write("a\\nb") cat:close()
      print(cat:wait().code, cat.output[2])
      """)
    #expect(lines == ["false\t0", "0\tb"])
  }

  @Test func `a program ends when the app does`() throws {
    folder.write(
      "local p = process.start('sleep', { 1000 }) print(p.id) after(0, exit)", to: "app.lua")
    let outcome = try Program.run(["run", "app.lua", "--allow", "run"], in: folder)
    let id = try #require(Int32(outcome.outputLines.first ?? ""))
    var isGone = false
    for _ in 0..<200 where !isGone {
      isGone = kill(id, 0) != 0
      usleep(10_000)
    }
    #expect(isGone)
  }

  @Test func `standard input comes as lines from a file`() throws {
    let lines = try runTask(
      """
      local s = stdin.lines { limit = 3 }
      wait(function() return not s.loading end)
      print(#s, s[3], s.received)
      print(pcall(stdin.read))
      """, input: (1...1000).map { "line \($0)\n" }.joined())
    #expect(lines[0] == "3\tline 1000\t1000")
    #expect(lines[1].contains("read already"))
  }

  @Test func `standard input comes whole`() throws {
    let lines = try runTask(
      "print(#stdin.read())", input: String(repeating: "ab\n", count: 100_000))
    #expect(lines == ["300000"])
  }
}

/// Standard input beside a terminal.
@Suite(.serialized) struct PipedInputTests: LiveSuite {
  let folder: ScratchFolder
  let terminal: Terminal

  init() throws {
    folder = try ScratchFolder()
    terminal = try Terminal()
  }

  @Test func `keys come from the terminal where something is piped in`() throws {
    folder.write(
      """
      local s = stdin.lines()
      local n = object { keys = "" }
      return view.column {
        focusable = true,
        view.label { text = function() return #s == 2 and "both-lines" or "waiting" end },
        view.label { text = function() return n.keys end },
        keys = { k = function() n.keys = "pressed" end },
      }
      """, to: "app.lua")
    folder.write("(echo a; echo b; sleep 30) | \(Program.path) run app.lua\n", to: "piped.sh")
    let program = try Program(
      executable: ["/bin/sh", "piped.sh"], in: folder, output: .terminal(terminal.name))
    terminal.wait(for: "both-lines")
    terminal.type("k", until: "pressed")
    terminal.type("\u{3}", until: "\u{1b}[?1049l")
    withExtendedLifetime(program) {}
  }
}
