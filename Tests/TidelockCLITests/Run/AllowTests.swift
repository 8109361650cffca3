import TestFolders
import Testing

/// What `--allow` and `--limit` open and bound.
struct AllowTests: AppSuite {
  let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder(folders: "data", "out")
    folder.write("one\ntwo\n", to: "data/words.txt")
    folder.write("secret", to: "secret.txt")
  }

  @Test(arguments: [
    ("io.open('secret.txt')", "reading \"secret.txt\" is not allowed; run with --allow read="),
    ("io.open('out/x', 'w')", "writing \"out/x\" is not allowed; run with --allow write="),
    ("for l in io.lines('secret.txt') do end", "--allow read="),
    ("os.getenv('HOME')", "run with --allow env=HOME"),
    ("os.execute('true')", "run with --allow run"),
    ("io.popen('true')", "run with --allow run"),
    ("os.remove('secret.txt')", "--allow write="),
  ])
  func `without a flag each call says which one would allow it`(
    script: String, message: String
  ) throws {
    let outcome = try run(script)
    #expect(outcome.status == .exited(65))
    #expect(outcome.errors.hasPrefix("app.lua:1:"))
    #expect(outcome.errors.contains(message))
  }

  @Test func `the flag that a refusal names allows the call`() throws {
    let script = "print(io.open('secret.txt'):read('a'))"
    let refused = try run(script).errors
    let start = try #require(refused.firstRange(of: "--allow "))
    let flag = refused[start.upperBound...].prefix { $0 != "\n" }
    let outcome = try run(script, ["--allow", String(flag)])
    #expect(outcome.status == .exited(0))
    #expect(outcome.output == "secret\n")
  }

  @Test func `several things are allowed at once, and nothing else`() throws {
    let outcome = try run(
      """
      for line in io.lines("data/words.txt") do print(line) end
      local file = io.open("out/made.txt", "w")
      file:write("made ", os.getenv("FRUIT"))
      file:close()
      print(pcall(io.open, "secret.txt"))
      print(pcall(io.open, "data/../secret.txt"))
      print(pcall(io.open, "data/words.txt", "w"))
      print(pcall(io.open, "out/made.txt"))
      print(pcall(os.getenv, "HOME"))
      print(pcall(os.execute, "true"))
      """, ["--allow", "read=data,write=out", "--allow", "env=FRUIT"],
      environment: ["FRUIT": "fig"])
    #expect(outcome.status == .exited(0))
    #expect(outcome.outputLines.prefix(2) == ["one", "two"])
    #expect(outcome.outputLines.dropFirst(2).allSatisfy { $0.hasPrefix("false\t") })
    #expect(outcome.outputLines.count == 8)
    #expect(folder.read("out/made.txt") == "made fig")
  }

  @Test func `programs run, and their output is theirs`() throws {
    let outcome = try run(
      "os.execute('echo out') print(io.popen('echo read'):read())", ["--allow", "run"])
    #expect(outcome.output == "out\nread\n")
  }

  @Test func `a task that blocks is warned of once for each line, and told what waits`() throws {
    let outcome = try run(
      """
      local function lines() return (io.popen("echo read"):read()) end
      print(lines())
      after(0.01, function()
        for i = 1, 3 do print(lines()) end
        local other = io.popen("true")
      end)
      """, ["--allow", "run"])
    #expect(outcome.status == .exited(0))
    #expect(outcome.output == "read\nread\nread\nread\n")
    let warnings = outcome.errors.split(separator: "\n").filter { $0.contains("warning[W0211]") }
    #expect(warnings.count == 2, "\(outcome.errors)")
    #expect(warnings.first?.hasPrefix("app.lua:1:") == true)
    #expect(warnings.last?.hasPrefix("app.lua:5:") == true)
    #expect(warnings.allSatisfy { $0.contains("io.popen blocks") && $0.contains("process.run") })
  }

  @Test func `a program ends with the turn`() throws {
    let outcome = try run("os.execute('sleep 100')", ["--allow", "run", "--turn", "0.2"])
    #expect(outcome.status == .exited(65))
    #expect(outcome.errors.contains("error[E0404]"))
  }

  @Test func `a folder's name may have a comma`() throws {
    folder.makeFolder("a,b")
    folder.write("found", to: "a,b/x")
    let outcome = try run(
      "print(io.open('a,b/x'):read('a'), io.open('data/words.txt'):read())",
      ["--allow", "read=a,b,read=data"])
    #expect(outcome.output == "found\tone\n")
  }

  @Test(arguments: [
    (["--allow", "raed=data"], "did you mean \"read\"?"), (["--allow", "read="], "read=DIR"),
    (["--allow", "env"], "env=NAME"), (["--allow", "run="], "run=NAME"),
    (["--allow", "net"], "net=HOST"),
    (["--allow", "net=https://a.example"], "write the host alone"),
    (["--allow", "net=::1"], "[::1]:8080"), (["--allow", "net=a:0"], "from 1 to 65535"),
    (["--allow", ""], "There are read=DIR"), (["--limit", "tmers=5"], "did you mean \"timers\"?"),
    (["--limit", "timers"], "timers=NUMBER"), (["--limit", "timers=0"], "above 0"),
    (["--allow", "read=missing"], "missing: No such file or directory"),
    (["--allow", "read=secret.txt"], "secret.txt: Not a directory"),
  ])
  func `a wrong flag is a matter of usage`(arguments: [String], message: String) throws {
    let outcome = try run("print(1)", arguments)
    #expect(outcome.status == .exited(64))
    #expect(outcome.errors.contains(message))
    #expect(outcome.output == "")
  }

  @Test(arguments: [
    ("list { 1, 2, 3, 4, 5, 6 }", "rows=5", "raise the limit \"rows\""),
    ("for i = 1, 6 do after(1, print) end", "timers=5", "raise the limit \"timers\""),
    ("object { s = ('x'):rep(1001) }", "value=1000", "raise the limit \"value\""),
  ])
  func `a limit that is passed is named`(script: String, limit: String, message: String) throws {
    let outcome = try run(script, ["--limit", limit])
    #expect(outcome.status == .exited(65))
    #expect(outcome.errors.contains("error[E0412]"))
    #expect(outcome.errors.contains(message))
    #expect(try run(script + " exit(0)").status == .exited(0))
  }

  @Test func `log lines beyond the limit are counted`() throws {
    let outcome = try run(
      "for i = 1, 9 do log.info('line ' .. i) end",
      ["--log", "info", "--limit", "logLines=2", "--confine", "off"])
    #expect(outcome.status == .exited(0))
    #expect(outcome.errorLines.count == 3)
    #expect(outcome.errorLines.last?.contains("7 lines were not logged") == true)
  }

  @Test(arguments: [
    "local l = list {} while true do l:append(('x'):rep(100000)) end",
    "local kept = {} for i = 1, 1e9 do kept[i] = view.label { text = 'x' .. i } end",
    "local kept = {} for i = 1, 1e9 do kept[i] = object { n = i } end",
    "for i = 1, 1e9 do effect(function() end) end",
  ])
  func `what scripts make counts as their memory`(script: String) throws {
    let outcome = try run(script, ["--memory", "16M", "--turn", "60"])
    #expect(outcome.status == .exited(65))
    #expect(outcome.errors.contains("error[E0403]: not enough memory"))
  }
}
