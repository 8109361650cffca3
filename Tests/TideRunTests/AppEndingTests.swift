import Foundation
import Testing
import TideBindings
import TideGraph
import TideLua
import TideViews

import TideRun
@testable import TideScript

/// The end of an app: who is asked, what is still done, and how long it may take.
@Suite struct `The end of an app` {
  private final class Lines {
    var lines: [String] = []
  }

  private let printed = Lines()

  private func runtime(
    turn: Duration = .seconds(5), settings: String? = nil, clock: VirtualClock? = VirtualClock()
  ) throws -> Runtime {
    var configuration = Runtime.Configuration(turn: turn)
    configuration.print = { [printed] in printed.lines.append($0) }
    configuration.settingsFolder = settings
    configuration.clock = clock
    return try Runtime(file: "app.lua", configuration: configuration)
  }

  private func run(_ script: String) throws -> Int32 {
    let runtime = try runtime()
    try runtime.evaluate(script, as: Value.self)
    return try runtime.runUntilExit()
  }

  // MARK: Who is asked

  @Test func `everyone is asked in the order of registration, with the app as sender`() throws {
    let code = try run(
      """
      on(app, "willQuit", function(sender, event)
        print("one", sender == app, event.name, event.sender == app)
      end)
      on(app, "willQuit", function() print("two") return true end)
      after(1, function() exit(3) end)
      """)
    #expect(code == 3)
    #expect(printed.lines == ["one\ttrue\twillQuit\ttrue", "two"])
  }

  @Test func `false has the app stay, and the next end is asked for anew`() throws {
    let code = try run(
      """
      local asked = 0
      on(app, "willQuit", function() asked = asked + 1 print("asked", asked) return asked > 1 end)
      on(app, "willQuit", function() print("also asked") end)
      after(1, function() exit(1) end)
      after(2, function() print("still here") exit(2) end)
      """)
    #expect(code == 2)
    #expect(printed.lines == ["asked\t1", "still here", "asked\t2", "also asked"])
  }

  @Test func `a person is shown what was refused, and ends the app by asking once more`() throws {
    let runtime = try runtime()
    try runtime.evaluate(
      """
      some = model "some" { n = 5 }
      show(view.column { view.field { id = "entry", bindTo = { text = "<> some.n" } },
        view.field { id = "other" } })
      on(app, "willQuit", function() print("asked") end)
      """, as: Value.self)
    let loop = AppLoop(runtime, TextRenderer(size: Size(width: 20, height: 4)))
    defer { loop.close() }
    try loop.catchUp()
    try runtime.scene?.send(keys: "Tab End x Tab")
    try loop.catchUp()
    #expect(try !loop.quit(within: nil))
    try loop.catchUp()
    #expect(try runtime.evaluate("views.entry.focused", as: Bool.self))
    #expect(printed.lines.isEmpty)
    try runtime.scene?.send(keys: "y")
    try loop.catchUp()
    // It is another entry.
    #expect(try !loop.quit(within: nil))
    #expect(try loop.quit(within: nil))
    #expect(printed.lines == ["asked"])
  }

  @Test func `an app ends in its time whatever was refused`() throws {
    let runtime = try runtime()
    try runtime.evaluate(
      """
      some = model "some" { n = 5 }
      show(view.field { id = "entry", text = "x", bindTo = { text = "<> some.n" } })
      """, as: Value.self)
    let loop = AppLoop(runtime, TextRenderer(size: Size(width: 20, height: 4)))
    defer { loop.close() }
    try loop.catchUp()
    try runtime.scene?.send(keys: "Tab End x")
    try loop.catchUp()
    #expect(try loop.quit(within: 1))
  }

  @Test func `where nothing is left to do nobody can have the app stay`() throws {
    #expect(
      try run("on(app, 'willQuit', function() print 'asked' return false end)") == 0)
    #expect(printed.lines == ["asked"])
  }

  @Test func `one may find something to do when nothing was left`() throws {
    _ = try run(
      """
      local n = 0
      on(app, "willQuit", function()
        n = n + 1
        if n == 1 then after(1, function() print("done") end) return false end
      end)
      """)
    #expect(printed.lines == ["done"])
  }

  @Test func `one that waits is waited for, with what it does meanwhile`() throws {
    let code = try run(
      """
      on(app, "willQuit", function() sleep(3) print("saved") end)
      on(app, "willQuit", function() print("next") sleep(1) end)
      every(1, function() print("tick") end)
      after(0.5, function() exit(4) end)
      """)
    #expect(code == 4)
    #expect(printed.lines.filter { $0 != "tick" } == ["saved", "next"])
    #expect(printed.lines.count { $0 == "tick" } == 4)
  }

  @Test func `one that waits may have the app stay in the end`() throws {
    let code = try run(
      """
      local asked = 0
      on(app, "willQuit", function() asked = asked + 1 sleep(1) return asked > 1 end)
      after(0.5, function() exit(4) end)
      after(5, function() print("stayed") exit(5) end)
      """)
    #expect(code == 5)
    #expect(printed.lines == ["stayed"])
  }

  @Test func `asked once more it waits no longer, and the first code counts`() throws {
    let code = try run(
      """
      on(app, "willQuit", function()
        local guard <close> = setmetatable({}, { __close = function() print("closed") end })
        sleep(1000)
        print("never")
      end)
      after(1, function() exit(6) end)
      after(2, function() exit(7) end)
      """)
    #expect(code == 6)
    #expect(printed.lines == ["closed"])
  }

  @Test func `exit in a handler ends it at once`() throws {
    #expect(
      try run(
        """
        on(app, "willQuit", function() exit(9) end)
        on(app, "willQuit", function() return false end)
        after(0, function() exit(8) end)
        """) == 8)
  }

  @Test func `what waits for what never comes keeps no app without a display`() throws {
    #expect(
      try run(
        """
        local task
        context("off", function() task = spawn(function() sleep(1) end) end)
        context.disable("off")
        on(app, "willQuit", function() await(task) end)
        after(0, function() exit(1) end)
        """) == 1)
  }

  @Test func `a bound end asks, takes no refusal, and waits as long as it may`() throws {
    let clock = VirtualClock()
    let runtime = try runtime(clock: clock)
    try runtime.evaluate(
      """
      on(app, "willQuit", function() print("asked") sleep(0.5) print("saved") return false end)
      on(app, "willQuit", function() print("too long") sleep(100) print("never") end)
      every(10, function() end)
      """, as: Value.self)
    runtime.exit(143, within: 1)
    let start = clock.now
    #expect(try runtime.runUntilExit() == 143)
    #expect(printed.lines == ["asked", "saved", "too long"])
    #expect(clock.now - start <= 1.01)
  }

  @Test func `a handler that fails is listed and keeps nobody`() throws {
    let runtime = try runtime()
    try runtime.evaluate(
      "on(app, 'willQuit', function() error('rotten') end) after(0, function() exit() end)",
      as: Value.self)
    #expect(try runtime.runUntilExit() == 0)
    #expect(runtime.errors.contains { $0.message.contains("rotten") })
  }

  @Test func `handlers end with their contexts, by their handles, and wait while disabled`() throws
  {
    _ = try run(
      """
      context("gone", function() on(app, "willQuit", function() print("gone") end) end)
      context.clear("gone")
      context("off", function() on(app, "willQuit", function() print("off") end) end)
      context.disable("off")
      on(app, "willQuit", function() print("cancelled") end):cancel()
      on(app, "willQuit", function() print("asked") end)
      """)
    #expect(printed.lines == ["asked"])
  }

  @Test(arguments: [
    "on(app, 'willQuti', print)", "on(app, 'willQuit')", "on(app, 'willQuit', 5)",
    "on(app, 'willQuit', print, {})", "on(app, 5, print)", "app.theme = 1", "return app.themee",
  ])
  func `what app does not have is an error`(_ script: String) throws {
    let runtime = try runtime()
    #expect(throws: TideError.self) { try runtime.evaluate(script, as: Value.self) }
  }

  @Test func `a model may be named app`() throws {
    let runtime = try runtime()
    #expect(
      try runtime.evaluate(
        "local m = model 'app' { n = 1 } bind('app.n -> app.n') return models.app.n", as: Value.self
      ) == 1)
  }

  // MARK: What is still done

  @Test func `what bindings hold back is written`() throws {
    let runtime = try runtime()
    try runtime.evaluate(
      """
      m = model "m" { text = "", slow = "", slower = "", rare = "", drawn = "" }
      bind("m.text -> m.slow", { delay = 5 })
      bind("m.slow -> m.slower", { delay = 5 })
      bind("m.text -> m.rare", { throttle = 100 })
      bind("m.text -> m.drawn", { deliver = "frame" })
      m.text = "first"
      after(1, function() m.text = "last" exit() end)
      """, as: Value.self)
    #expect(try runtime.runUntilExit() == 0)
    for name in ["slow", "slower", "rare", "drawn"] {
      #expect(runtime.models["m"]?[name] == "last", "\(name)")
    }
  }

  @Test func `a loop of delays comes to an end`() throws {
    let runtime = try runtime()
    try runtime.evaluate(
      """
      m = model "m" { a = 0, b = 0 }
      local function more(n) return n + 1 end
      bind("m.a -> m.b", { delay = 1, transform = more })
      bind("m.b -> m.a", { delay = 1, transform = more })
      m.a = 1
      """, as: Value.self)
    runtime.end()
    #expect(runtime.loop.timerCount == 0)
  }

  @Test func `what is only typed is not committed`() throws {
    let runtime = try runtime()
    try runtime.evaluate(
      """
      m = model "m" { text = "old" }
      field = view.field { id = "f" }
      bind("m.text <> text", m, field, { continuous = false })
      """.replacingOccurrences(of: "\"m.text <> text\"", with: "\"text <> text\""), as: Value.self)
    try runtime.evaluate("show(field) field:focus()", as: Value.self)
    runtime.scene?.send(.key(Key("x" as Character)))
    runtime.end()
    #expect(runtime.models["m"]?["text"] == "old")
  }

  @Test func `a value that a transformer has yet to give is waited for`() throws {
    let runtime = try runtime()
    try runtime.evaluate(
      """
      m = model "m" { a = 1, b = 0 }
      transformer("late", function(v) sleep(0.5) return v * 10 end)
      bind("m.a -> m.b | late")
      after(1, function() m.a = 2 exit() end)
      every(1, function() end)
      """, as: Value.self)
    _ = try runtime.runUntilExit()
    #expect(runtime.models["m"]?["b"] == 20)
  }

  @Test func `a value that takes for ever is not waited for`() throws {
    let clock = VirtualClock()
    let runtime = try runtime(clock: clock)
    try runtime.evaluate(
      """
      m = model "m" { a = 1, b = 0 }
      transformer("late", function(v) sleep(1000) return v * 10 end)
      bind("m.a -> m.b | late")
      after(1, function() exit() end)
      """, as: Value.self)
    _ = try runtime.runUntilExit()
    #expect(clock.now < 4)
  }

  @Test func `all that scripts have made ends in order`() throws {
    let runtime = try runtime()
    try runtime.evaluate(
      """
      m = model "m" { n = 0 }
      show(view.column { id = "c", on = { didDisappear = function() print("column gone") end },
        view.label { on = { didDisappear = function() print("label gone") end } } })
      hot.dispose(function() print("first disposer") end)
      hot.dispose(function() print("second disposer") end)
      effect(function() local n = m.n return function() print("effect", m.n) end end)
      context("inner", function()
        effect(function() return function() print("inner effect") m.n = m.n + 1 end end)
      end)
      spawn(function()
        local guard <close> = setmetatable({}, { __close = function() print("closed") end })
        sleep(1000)
      end)
      """, as: Value.self)
    runtime.settle()
    try runtime.scene?.mount(TextRenderer())
    runtime.end()
    for line in ["column gone", "label gone", "second disposer", "first disposer", "closed"] {
      #expect(printed.lines.count { $0 == line } == 1, "\(line)")
    }
    let count = printed.lines.count
    runtime.end()
    #expect(printed.lines.count == count, "once")
    #expect(runtime.models["m"]?["n"] == 1, "a clean-up writes, and models stay")
  }

  @Test func `settings are saved with what clean-ups have set`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let runtime = try runtime(settings: folder)
    try runtime.evaluate(
      """
      s = controller.settings {}
      draft = controller.settings { name = "draft", appliesImmediately = false }
      m = model "m" { text = "a", kept = "" }
      bind("m.text -> m.kept", { delay = 10 })
      effect(function() s.values.kept = m.kept end)
      effect(function() return function() s.values.ended = true end end)
      m.text = "b"
      draft.values.x = 1
      """, as: Value.self)
    runtime.end()
    let text = try String(contentsOfFile: folder + "/settings.json", encoding: .utf8)
    #expect(text.contains("\"kept\": \"b\"") && text.contains("\"ended\": true"))
    #expect(!FileManager.default.fileExists(atPath: folder + "/draft.json"))
  }

  // MARK: How long it may take

  @Test(arguments: [
    "on(app, 'willQuit', function() while true do end end)",
    "for i = 1, 50 do on(app, 'willQuit', function() while true do end end) end",
    "on(app, 'willQuit', function() pcall(function() while true do end end) return false end)",
    "hot.dispose(function() while true do end end)",
    "for i = 1, 50 do effect(function() return function() while true do end end end) end",
    """
    for i = 1, 50 do spawn(function()
      local guard <close> = setmetatable({}, { __close = function() while true do end end })
      sleep(1000)
    end) end
    """,
    """
    m = model "m" { a = 0, b = 0 }
    bind("m.a -> m.b", { delay = 10, transform = function(v) while v > 0 do end return v end })
    m.a = 1
    """,
    "show(view.label { on = { didDisappear = function() while true do end end } })",
  ])
  func `a script that loops at the end is stopped by its turn`(_ attack: String) throws {
    let runtime = try runtime(turn: .milliseconds(100), clock: nil)
    try runtime.evaluate(
      """
      \(attack)
      after(0, function() exit(3) end)
      spawn(function() sleep(1000) end)
      """, as: Value.self)
    runtime.settle()
    let clock = ContinuousClock()
    let start = clock.now
    #expect(try runtime.runUntilExit(TextRenderer()) == 3)
    #expect(start.duration(to: clock.now) < .seconds(10))
    #expect(runtime.loop.timerCount == 0)
  }

  // MARK: Budgets

  /// Lists that share each other, which written out are longer than anything.
  private static let sharing = """
    local shared = list { 1 }
    for i = 1, 60 do shared = list { shared, shared } end
    local s = controller.settings { name = "a" }
    """

  @Test func `settings that take too long to write do not hold it up`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let runtime = try runtime(turn: .milliseconds(200), settings: folder)
    try runtime.evaluate(
      Self.sharing + "\nhot.dispose(function() s.values.x = shared end)", as: Value.self)
    let start = ContinuousClock.now
    runtime.end()
    #expect(ContinuousClock.now - start < .seconds(5))
    #expect(runtime.errors.contains { $0.code == .scriptTime })
  }

  @Test func `what an assignment from outside sets off ends with a turn`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let runtime = try runtime(turn: .milliseconds(200), settings: folder)
    try runtime.evaluate(
      Self.sharing
        + """

        local m = model "m" { n = 0 }
        observe(m, "n", function() s.values.x = shared end)
        """, as: Value.self)
    let start = ContinuousClock.now
    try runtime.set("m.n", to: "3")
    runtime.end()
    #expect(ContinuousClock.now - start < .seconds(5))
  }
}
