import OwnThread
import Glibc
import Testing
import TideBindings
import TideGraph
import TideLua
import TideReload
@testable import TideScript

@testable import TideREPL

@Suite struct `A running app that is attached to` {
  @Test func `greets, evaluates, and keeps the variables of each session apart`() async throws {
    try await onOwnThread {
      let app = try AttachedApp("model 'fruit' { name = 'fig' }")
      let one = try app.attach(), other = try app.attach()
      let hello = one.wait(for: "hello")
      #expect(hello?.text("name") == "fruit")
      #expect(hello?.number("process") == Int(getpid()))
      #expect(one.values("local x = 20") == [])
      #expect(one.values("x + 1") == ["21"])
      #expect(one.values("_ * 2, _1") == ["42", "21"])
      #expect(other.values("x, _") == ["nil", "nil"])
      #expect(other.values("models.fruit.name") == ["\"fig\""])
      #expect(other.values("shared = 3") == [])
      #expect(one.values("shared") == ["3"])
    }
  }

  @Test func `asks for more, and says what is wrong with a chunk`() async throws {
    try await onAttachedApp { app, client in
      let id = client.request("evaluate", ["text": "for i = 1, 2 do", "unfinished": true])
      #expect(client.answer(to: id)?.flag("unfinished") == true)
      let failed = client.evaluate("local t = nil\nreturn t.x")
      #expect(failed?.text("code") == "E0402")
      #expect(failed?.number("line") == 2)
      #expect(failed?.text("error")?.contains("attempt to index a nil value") == true)
      #expect(client.values("for i = 1, 2 do") == ["'end' expected near <eof>"])
      #expect(client.values(":why nobody.x").first?.contains("not a model") == true)
      #expect(client.evaluate(":quit")?.flag("quit") == true)
      #expect(client.values(":save x").first?.contains("by the prompt") == true)
      #expect(client.values(":edit").first?.contains("by the prompt") == true)
    }
  }

  @Test func `completes, also while a chunk waits`() async throws {
    try await onOwnThread {
      let app = try AttachedApp("model 'fruit' { name = 'fig' }")
      let client = try app.attach()
      let sleeping = client.request("evaluate", ["text": "sleep(1000)"])
      let found = client.answer(to: client.request("complete", ["text": "models.fru"]))
      #expect(found?.texts("words") == ["fruit"])
      #expect(found?.number("start") == 7)
      client.send(#"{"kind":"interrupt"}"#)
      #expect(client.answer(to: sleeping)?.text("name") == "interrupted")
    }
  }

  @Test func `runs a file's text under the file's name`() async throws {
    try await onAttachedApp { app, client in
      let good = client.request("load", ["name": "some.lua", "text": "#!/usr/bin/lua\nreturn 7"])
      #expect(client.answer(to: good)?.texts("values") == ["7"])
      let bad = client.request("load", ["name": "some.lua", "text": "\nerror('no')"])
      let answer = client.answer(to: bad)
      #expect(answer?.text("file") == "some.lua")
      #expect(answer?.number("line") == 2)
    }
  }

  // MARK: Output

  @Test func `sends what a chunk prints to its session alone, and the app's to all`() async throws {
    try await onOwnThread {
      let app = try AttachedApp("function say(x) print('app', x) end")
      let one = try app.attach(), other = try app.attach()
      #expect(other.values("1") == ["1"])
      #expect(
        one.values("print('mine') say(1) local timer = after(0, function() print('later') end)")
          == [])
      #expect(one.wait(for: "output")?.text("text") == "mine")
      #expect(one.wait(for: "output")?.text("text") == "app\t1")
      #expect(one.wait(for: "output")?.text("text") == "later")
      #expect(app.printed == [])
      try app.runtime.evaluate("say(2)", as: Value.self)
      #expect(one.wait(for: "output")?.text("text") == "app\t2")
      #expect(other.wait(for: "output")?.text("text") == "app\t2")
      #expect(other.messages.allSatisfy { $0.kind != "output" })
      #expect(app.printed == ["app\t2"])
    }
  }

  @Test func `is not held up by one who never reads`() async throws {
    try await onOwnThread {
      // Instrumented, this takes long.
      let app = try AttachedApp(configuration: Runtime.Configuration(turn: nil))
      let lazy = try app.attach(), other = try app.attach()
      let id = lazy.request(
        "evaluate", ["text": "local line = ('x'):rep(1000) for i = 1, 6000 do print(line) end"])
      // The other end gets its turn meanwhile, and nothing is read of this one.
      #expect(other.values("1 + 1") == ["2"])
      #expect(lazy.answer(to: id)?.texts("values") == [])
      let lines = lazy.messages.count { $0.kind == "output" }
      let notices = lazy.messages.compactMap { $0.kind == "notice" ? $0.text("text") : nil }
      #expect(lines < 6000)
      #expect(notices.contains { $0.contains("printed faster than they could be read") })
      let left = notices.compactMap { $0.split(separator: " ").first }.compactMap {
        Int($0.dropFirst())
      }
      #expect(left.reduce(0, +) + lines == 6000)
    }
  }

  @Test func `cuts what is too long to be read, and repairs what is no text`() async throws {
    try await onAttachedApp { app, client in
      #expect(client.values("print(('y'):rep(3 << 20)) print('\\255\\0')") == [])
      let text = client.wait(for: "output")?.text("text") ?? ""
      #expect(text.utf8.count < (1 << 20) + 100)
      #expect(text.hasSuffix("… (3145728 bytes)"))
      #expect(client.wait(for: "output")?.text("text") == "\u{FFFD}\0")
    }
  }

  // MARK: Stopping

  @Test(arguments: [
    "print('go') while true do end", "print('go') sleep(0) while true do end",
    "print('go') return ('a'):rep(1000):find(('a*'):rep(50) .. 'b')", "print('go') sleep(1000)",
    "print('go') pcall(function() while true do end end) while true do end",
  ])
  func `stops a chunk and nothing else`(_ code: String) async throws {
    try await onOwnThread {
      let app = try AttachedApp("ticks = 0 every(0.001, function() ticks = ticks + 1 end)")
      let client = try app.attach()
      let id = client.request("evaluate", ["text": .text(code)])
      // The thread of the test is the app's, and kept by the chunk.
      let descriptor = client.descriptor
      let state = Guarded((isOver: false, hasEnded: false))
      spawnThread {
        let line = "{\"kind\":\"interrupt\"}\n"
        while !state.withLock({ $0.isOver }) {
          usleep(20_000)
          _ = send(descriptor, line, line.utf8.count, Int32(MSG_NOSIGNAL))
        }
        state.withLock { $0.hasEnded = true }
      }
      let answer = client.answer(to: id)
      state.withLock { $0.isOver = true }
      #expect(app.run { state.withLock { $0.hasEnded } })
      #expect(answer?.text("name") == "interrupted", "\(code): \(answer?.line ?? "none")")
      #expect(client.values("1") == ["1"])
      let before = try app.runtime.evaluate("ticks", as: Int.self)
      #expect(app.run { (try? app.runtime.evaluate("ticks", as: Int.self)) ?? 0 > before + 3 })
      #expect(app.runtime.exitCode == nil)
    }
  }

  @Test func `stops a runaway chunk by its budget`() async throws {
    try await onOwnThread {
      var configuration = Runtime.Configuration()
      configuration.lua.turn = .milliseconds(100)
      let app = try AttachedApp(configuration: configuration)
      let client = try app.attach()
      #expect(client.evaluate("while true do end")?.text("name") == "scriptTime")
      #expect(client.values("2") == ["2"])
    }
  }

  @Test func `takes an interrupt for nothing where nothing runs`() async throws {
    try await onAttachedApp { app, client in
      client.send(#"{"kind":"interrupt"}"#)
      #expect(client.values("1") == ["1"])
      client.send(#"{"kind":"interrupt"}"#)
      #expect(client.values("sleep(0.01) return 2") == ["2"])
    }
  }

  @Test func `runs the chunks of a session one after another`() async throws {
    try await onAttachedApp { app, client in
      let first = client.request("evaluate", ["text": "sleep(0.05) done = true return 1"])
      let second = client.request("evaluate", ["text": "return done"])
      #expect(client.answer(to: second)?.texts("values") == ["true"])
      #expect(client.answer(to: first)?.texts("values") == ["1"])
      // An interrupt stops the one that runs, and the next has its turn.
      let endless = client.request("evaluate", ["text": "sleep(1000)"])
      let next = client.request("evaluate", ["text": "return 3"])
      #expect(app.run { app.runtime.tasks.running.count == 1 })
      client.send(#"{"kind":"interrupt"}"#)
      #expect(client.answer(to: endless)?.text("name") == "interrupted")
      #expect(client.answer(to: next)?.texts("values") == ["3"])
    }
  }

  @Test func `ends what a session made when its client vanishes`() async throws {
    try await onOwnThread {
      let app = try AttachedApp()
      var client: RawClient? = try app.attach()
      #expect(
        client?.values("ticks = 0 local timer = every(0.001, function() ticks = ticks + 1 end)")
          == [])
      client?.request("evaluate", ["text": "sleep(1000)"])
      #expect(app.run { app.runtime.tasks.running.count == 1 })
      client = nil
      #expect(app.run { app.server?.count == 0 && app.runtime.tasks.running.isEmpty })
      let ticks = try app.runtime.evaluate("ticks", as: Int.self)
      _ = app.run(seconds: 0.1) { false }
      #expect(try app.runtime.evaluate("ticks", as: Int.self) == ticks)
    }
  }

  @Test func `stops what runs for a client that vanishes`() async throws {
    try await onOwnThread {
      let app = try AttachedApp()
      let gone = try app.attach(), other = try app.attach()
      gone.request("evaluate", ["text": "print('go') while true do end"])
      let descriptor = gone.descriptor
      spawnThread {
        usleep(100_000)
        shutdown(descriptor, Int32(SHUT_RDWR))
      }
      #expect(other.values("4") == ["4"])
      #expect(app.run { app.server?.count == 1 })
    }
  }

  // MARK: Reloads and the end

  @Test func `reloads and resets nothing where the host has not said how`() async throws {
    try await onOwnThread {
      let app = try AttachedApp("m = model 'm' { n = 1 } m.n = 2")
      let client = try app.attach()
      #expect(client.values(":reload").first?.contains("reloads no scripts") == true)
      #expect(client.values(":reset").first?.contains("starts no app anew") == true)
      #expect(client.values("m.n") == ["2"])
    }
  }

  @Test func `keeps sessions over a reload, with their variables, and says so`() async throws {
    try await onOwnThread {
      let app = try AttachedApp("model 'fruit' { name = 'fig' } function f() return 1 end")
      let server = try #require(app.server)
      server.onReload = { [unowned app] module in
        let report = try app.runtime.reload(module.map { [$0] })
        app.server?.tell(report.line)
        return ""
      }
      server.onReset = { [unowned app] in
        try app.runtime.reset()
        return "done"
      }
      let client = try app.attach(), other = try app.attach()
      #expect(client.values("local x = models.fruit") == [])
      #expect(client.values("f()") == ["1"])
      app.save("model 'fruit' { name = 'fig' } function f() return 2 end")
      #expect(client.values(":reload") == [])
      #expect(client.wait(for: "notice")?.text("text")?.hasPrefix("reloaded 1 of 1") == true)
      #expect(other.wait(for: "notice")?.text("text")?.hasPrefix("reloaded 1 of 1") == true)
      #expect(client.values("x.name, f()") == ["\"fig\"", "2"])
      #expect(client.values(":reload nothing").first?.contains("no module \"nothing\"") == true)
      app.save("error('broken')")
      #expect(client.values(":reload").first?.contains("broken") == true)
      #expect(client.values(":errors").first?.contains("not reloaded") == true)
      #expect(client.values(":errors").first?.contains("broken") == true)
      #expect(client.values("x.name, f(), _2") == ["\"fig\"", "2", "\"fig\""])
      app.save("model 'fruit' { name = 'kiwi' }")
      #expect(client.values(":reset") == ["done"])
      app.save("model 'fruit' { name = 'kiwi' } --")
      #expect(client.values(":reload") == [])
      #expect(client.values(":errors") == ["There are no errors."])
      #expect(client.values("models.fruit.name, _1") == ["\"kiwi\"", "1"])
    }
  }

  @Test func `says how it ended, and takes its socket away`() async throws {
    try await onAttachedApp { app, client in
      #expect(client.values(":stop 3") == [])
      #expect(app.runtime.exitCode == 3)
      #expect(app.folder.entries == ["fruit-\(getpid())"])
      app.stop(exitCode: 3)
      #expect(app.folder.entries == [])
      #expect(client.wait(for: "ended")?.number("code") == 3)
      #expect(client.waitForEnd())
    }
  }

  @Test func `has a socket for its user alone`() async throws {
    try await onOwnThread {
      let app = try AttachedApp()
      var status = stat()
      #expect(stat(app.server?.path ?? "", &status) == 0)
      #expect(status.st_mode & 0o777 == 0o600)
      #expect(status.st_mode & S_IFMT == S_IFSOCK)
    }
  }
}
