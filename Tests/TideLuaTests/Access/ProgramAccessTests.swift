import Glibc
import Testing
import TideLua

@Suite struct `Access to programs` {
  private func state(turn: Duration = .seconds(5), countsSteps: Bool = false) throws -> LuaState {
    var configuration = LuaConfiguration()
    configuration.access.run = true
    configuration.turn = turn
    configuration.countsSteps = countsSteps
    return try LuaState(configuration)
  }

  @Test func `programs run, and tell how they ended`() throws {
    let state = try state()
    #expect(try state.run("return os.execute()", name: "=t") == [true])
    #expect(try state.run("return os.execute('exit 0')", name: "=t") == [true, "exit", 0])
    #expect(try state.run("return os.execute('exit 3')", name: "=t") == [nil, "exit", 3])
    #expect(try state.run("return os.execute('kill -9 $$')", name: "=t") == [nil, "signal", 9])
  }

  @Test func `the status of a program that the host has reaped is unknown`() throws {
    let state = try state()
    let reap = try state.function(named: "reap") { call in
      var status: Int32 = 0
      call.return(waitpid(pid_t(try call.integer(0)), &status, 0) > 0)
    }
    try state.globals.rawSet("reap", .function(reap))
    let results = try state.run(
      """
      local p = io.popen('echo $$; exit 0')
      assert(reap(p:read('n')))
      return p:close()
      """, name: "=t")
    #expect(results[0] == nil)
    #expect(results[1].string?.contains("the host has reaped it") == true, "\(results)")
    #expect(results[2] == .integer(Int(ECHILD)))
  }

  @Test func `their output is read and their input written`() throws {
    let state = try state()
    #expect(
      try state.run(
        "local p = io.popen('echo one; echo two; exit 4') return p:read('a'), p:close()", name: "=t"
      )
        == ["one\ntwo\n", nil, "exit", 4])
    #expect(
      try state.run(
        """
        local t = {}
        for line in io.popen('seq 3'):lines() do t[#t + 1] = line end
        return table.concat(t, ',')
        """, name: "=t") == ["1,2,3"])
    #expect(
      try state.run(
        "local p = io.popen('read x; exit $x', 'w') p:write('7\\n') return p:close()", name: "=t")
        == [nil, "exit", 7])
    // More than the channel holds, to somebody who reads none of it.
    let refused = try state.run(
      "local p = io.popen('true', 'w') local ok, why = p:write(('x'):rep(10 << 20)) return ok, why",
      name: "=t")
    #expect(refused[0] == nil)
  }

  @Test(arguments: [false, true])
  func `whatever waits for them ends with the turn, and so do they`(countsSteps: Bool) throws {
    let start = ContinuousClock.now
    for script in [
      "os.execute('sleep 60')", "os.execute('sleep 60 & sleep 60')",
      "io.popen('sleep 60'):read('a')",
      "io.popen('sleep 60'):close()", "io.popen('yes'):read('a')",
      "io.popen('sleep 60', 'w'):write(('x'):rep(10 << 20))",
      "local p <close> = io.popen('sleep 60') while true do end",
      // One that goes to another group, and one that leaves somebody behind who holds its output.
      #"os.execute("exec perl -e 'setpgrp(0, getpgrp(getppid)); sleep 60'")"#,
      #"io.popen("exec perl -e 'setpgrp(0, getpgrp(getppid)); sleep 60'"):close()"#,
      "io.popen('setsid sleep 25 & exec sleep 60'):read('a')",
      "io.popen('setsid sleep 25 & exec sleep 60'):close()",
    ] {
      let state = try state(turn: .milliseconds(100), countsSteps: countsSteps)
      let error = #expect(throws: LuaError.self) { try state.run(script, name: "=t") }
      #expect(error?.kind == .time || script.contains("yes"), "\(script): \(error as Any)")
      state.close()
    }
    #expect(ContinuousClock.now - start < .seconds(20))
  }

  @Test(arguments: [
    "os.execute('sleep 60 & echo $! > ' .. file .. '; sleep 60')",
    #"os.execute("exec perl -e 'setpgrp(0, getpgrp(getppid)); open F, \">"#
      + #"\", shift; print F $$; close F; sleep 60' " .. file)"#,
  ])
  func `nothing that they started lives on`(script: String) throws {
    let playground = try Playground()
    let state = try state(turn: .milliseconds(500))
    try state.globals.rawSet("file", .string(playground.path + "/inside/id"))
    #expect(throws: LuaError.self) { try state.run(script, name: "=t") }
    let text = try #require(playground.read("inside/id")?.split(separator: "\n").first)
    let id = try #require(pid_t(text))
    // Whoever takes over orphans may need a moment.
    for _ in 0..<200 where kill(id, 0) == 0 { usleep(10_000) }
    var command = "zombie"
    if kill(id, 0) == 0, let file = fopen("/proc/\(id)/stat", "r") {
      var line = [CChar](repeating: 0, count: 256)
      fgets(&line, 256, file)
      fclose(file)
      command = String(decoding: line.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      command = command.contains(") Z ") ? "zombie" : command
    }
    #expect(command == "zombie")
  }
}
