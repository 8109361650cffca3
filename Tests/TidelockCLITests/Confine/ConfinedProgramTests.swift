import Glibc
import TestFolders
import Testing

/// Programs that `--allow run=NAME` lets a script start: their environment, their wall, their end.
@Suite(.enabled(if: Kernel.confines, "the kernel cannot confine programs here"))
struct ConfinedProgramTests: AppSuite {
  let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder(folders: "app", "app/data", "other")
    folder.write("secret", to: "other/secret")
    folder.write("fig", to: "app/data/fruit")
  }

  private func lines(
    _ script: String, _ allowed: String, environment: [String: String] = [:]
  ) throws -> [String] {
    folder.write("spawn(function()\n\(script)\nexit()\nend)", to: "app/app.lua")
    let outcome = try Program(
      ["run", "app.lua", "--allow", allowed], in: folder, below: "app", environment: environment
    ).finish()
    #expect(outcome.status == .exited(0), "\(outcome.errors)")
    return outcome.outputLines
  }

  @Test(arguments: ["run", "run=env"])
  func `they get what programs need, and the variables that the flags name`(run: String) throws {
    let lines = try lines(
      "print(process.run('env').output)", "\(run),env=FRUIT",
      environment: ["FRUIT": "fig", "SECRET": "x", "LD_LIBRARY_PATH": "/", "TZ": "UTC"])
    #expect(lines.contains("FRUIT=fig") && lines.contains("TZ=UTC"))
    #expect(lines.contains { $0.hasPrefix("PATH=") })
    #expect(!lines.contains { $0.hasPrefix("SECRET=") || $0.hasPrefix("LD_LIBRARY_PATH=") })
  }

  @Test func `the shell gets no other variables either`() throws {
    let lines = try lines(
      "print(io.popen('env'):read('a'))", "run,env=FRUIT",
      environment: ["FRUIT": "fig", "SECRET": "x"])
    #expect(lines.contains("FRUIT=fig") && !lines.contains("SECRET=x"))
  }

  @Test func `they cannot read the variables and memory maps of other processes`() throws {
    let lines = try lines(
      """
      local r = process.run("sh", { "-c", "cat /proc/$PPID/environ; cat /proc/$PPID/maps" })
      print(r.code ~= 0, #r.output)
      """, "run=sh", environment: ["SECRET": "x"])
    #expect(lines == ["true\t0"])
  }

  @Test(arguments: [
    "LANGUAGE = '../data'", "LOCPATH = 'data'", "TERMINFO = 'data'", "NLSPATH = 'data/%N'",
    "LC_ALL = '../data'", "LANG = '/data'", "TZ = ':/data/zone'", "TERM = 'a/../../data'",
    "LS_COLORS = '*=1'", "HOME = 'data'", "PATH = 'data'", "GCONV_PATH = 'data'",
  ])
  func `a script sets no variable that could make its files a program's`(variable: String) throws {
    let name = variable.prefix { $0 != " " }
    let call = "print(pcall(process.run, 'env', {}, { environment = { \(variable) } }))"
    let refused = try lines(call, "run=env,write=data")
    #expect(refused.first?.contains("\"\(name)\" could run another program") == true, "\(refused)")
    let allowed = try lines(call, "run=env,write=data,env=\(name)")
    let isOwn = ["HOME", "PATH"].contains(name)
    let isPlain = ["LC_ALL", "LANG", "TZ", "TERM"].contains(name)
    #expect(allowed.first?.hasPrefix(isOwn || isPlain ? "false" : "true") == true, "\(allowed)")
  }

  @Test func `they read and write what the app may, and what programs need`() throws {
    let lines = try lines(
      """
      local function run(...) local r = process.run(...) print(r.code == 0, (r.output:gsub("\\n", ""))) end
      run("cat", { "data/fruit" })
      run("cat", { "../other/secret" })
      run("sh", { "-c", "echo new > data/new; cat data/new" })
      run("sh", { "-c", "echo new > ../other/new" })
      run("sh", { "-c", "echo new > app.lua" })
      run("sh", { "-c", "cat /etc/passwd > /dev/null" })
      run("sh", { "-c", "(echo x > /dev/tcp/127.0.0.1/1) 2>/dev/null; test -r /proc/self/status" })
      """, "read=data,write=data,run=cat,run=sh")
    #expect(lines[0] == "true\tfig")
    #expect(lines[1] == "false\t")
    #expect(lines[2] == "true\tnew")
    #expect(lines[3].hasPrefix("false") && lines[4].hasPrefix("false"))
    #expect(lines[5].hasPrefix("true") && lines[6].hasPrefix("true"))
    #expect(folder.entries(of: "other") == ["secret"])
  }

  @Test(arguments: [false, true])
  func `what leaves its group and session ends with the app`(isKilled: Bool) throws {
    folder.write(
      """
      -- Each waits until the other is out of its group, which ends with it.
      local function text(name)
        local leave = "(setsid sh -c 'echo $$ > data/NAME; exec sleep 100' &); "
        return ((leave .. "while [ ! -s data/NAME ]; do sleep 0.01; done"):gsub("NAME", name))
      end
      process.start("setsid", { "--wait", "sh", "-c", text("one") })
      process.start("sh", { "-c", text("two") })
      every(0.01, function()
        if file.exists("data/done") then exit() end
      end)
      """, to: "app/app.lua")
    let program = try Program(
      ["run", "app.lua", "--allow", "read=data,write=data,run=setsid,run=sh"], in: folder,
      below: "app")
    program.wait { _ in
      folder.read("app/data/one").hasSuffix("\n") && folder.read("app/data/two").hasSuffix("\n")
    }
    let numbers = ["one", "two"].compactMap {
      Int32(folder.read("app/data/\($0)").dropLast())
    }
    try #require(numbers.count == 2)
    for number in numbers { #expect(kill(number, 0) == 0) }
    if isKilled { program.send(SIGKILL) } else { folder.write("", to: "app/data/done") }
    _ = program.finish()
    for number in numbers {
      for _ in 0..<2000 where kill(number, 0) == 0 { usleep(5000) }
      #expect(kill(number, 0) != 0)
    }
  }
}
