import Glibc
import TestFolders
import Testing

// In the terminal, by keys and signals.

extension EndingTests {
  // MARK: In the terminal

  @Test func `Ctrl-C asks, tells who waits, and a second one ends it`() throws {
    let program = try startLive(Self.app(waiting: 1000))
    terminal.wait(for: "READY")
    terminal.type("\u{3}", until: "waiting for the app to end")
    terminal.type("\u{3}")
    #expect(finishLive(program) == .exited(130))
    #expect(terminal.isUsual)
    #expect(terminal.screen.contains("disposed"))
  }

  @Test func `an app that stays in the terminal goes on`() throws {
    let program = try startLive(
      """
      local n = 0
      local m = model "m" { text = "READY" }
      on(app, "willQuit", function() n = n + 1 m.text = "STAYS" return n > 1 end)
      return view.label { bindTo = { text = "m.text" } }
      """)
    terminal.wait(for: "READY")
    terminal.type("\u{3}", until: "STAYS")
    terminal.type("\u{3}")
    #expect(finishLive(program) == .exited(130))
    #expect(terminal.isUsual)
  }

  @Test func `Ctrl-C asks also while a sheet is open`() throws {
    let program = try startLive(
      """
      local m = model "m" { asks = true }
      on(app, "willQuit", function() print("asked") end)
      return view.column {
        view.label { text = "READY" },
        view.dialog { title = "SHEET", modal = true, hidden = function() return not m.asks end,
          view.button { title = "Sure?" } },
      }
      """)
    terminal.wait(for: "Sure?")
    terminal.type("\u{3}")
    #expect(finishLive(program) == .exited(130))
    #expect(terminal.screen.contains("asked"))
  }

  @Test func `a signal ends it in order in the terminal, too`() throws {
    let program = try startLive(Self.app(waiting: 1000, returning: "false"))
    terminal.wait(for: "READY")
    program.send(SIGTERM)
    #expect(finishLive(program) == .exited(128 + SIGTERM))
    #expect(terminal.isUsual)
    #expect(terminal.screen.contains("gone") && terminal.screen.contains("disposed"))
  }

  @Test func `a script that loops at the end does not keep the terminal`() throws {
    let program = try startLive(
      """
      on(app, "willQuit", function() while true do end end)
      hot.dispose(function() while true do end end)
      return view.label { text = "READY" }
      """, ["--turn", "3600"])
    terminal.wait(for: "READY")
    program.send(SIGTERM)
    _ = finishLive(program)
    #expect(terminal.isUsual)
  }

  @Test func `a second Ctrl-C is heard while a script is busy`() throws {
    let program = try startLive(
      """
      on(app, "willQuit", function() while true do end end)
      return view.label { text = "READY" }
      """, ["--turn", "3600"])
    terminal.wait(for: "READY")
    terminal.type("\u{3}")
    usleep(500_000)
    terminal.type("\u{3}")
    #expect(finishLive(program) != .timedOut)
    #expect(terminal.isUsual)
  }

  /// What is busy for an hour at a time, and begins anew when it is stopped.
  private static let busyTurns = [
    "after(0.3, function() show(busy) while true do end end)",
    "every(0.3, function() show(busy) while true do end end)",
    "for i = 1, 3 do after(0.3, function() show(busy) while true do end end) end",
  ]

  /// The byte, kitty's sequence and xterm's, also after other keys.
  private static let interrupts = ["\u{3}", "\u{1b}[99;5u", "\u{1b}[27;5;99~", "abc\u{3}"]

  @Test(arguments: busyTurns, interrupts)
  func `a first Ctrl-C is heard while a script is busy`(
    _ script: String, _ interrupt: String
  ) throws {
    let program = try startLive(
      "local busy = view.label { text = 'BUSY' }\n" + script
        + "\nreturn view.label { text = 'READY' }", ["--turn", "3600"])
    terminal.wait(for: "READY")
    usleep(700_000)
    terminal.type(interrupt)
    #expect(finishLive(program) == .exited(130))
    #expect(terminal.isUsual)
  }

  @Test func `what was typed while a script is busy comes in order`() throws {
    let program = try startLive(
      """
      local m = model "m" { text = "" }
      local field = view.field { bindTo = { text = "<> m.text" } }
      after(0.3, function()
        local text = ("x"):rep(1000)
        for i = 1, 3e7 do text:find("y") end
        m.text = "past "
      end)
      return view.column { view.label { text = "READY" }, field,
        view.label { text = function() return "<" .. m.text .. ">" end } }
      """, ["--turn", "3600"])
    terminal.wait(for: "READY")
    terminal.type("\t")
    usleep(700_000)
    terminal.type("\u{5}a")
    usleep(700_000)
    terminal.type("b\u{1b}[200~cd\u{1b}[201~e", until: "bcde>")
    terminal.type("\u{3}")
    #expect(finishLive(program) == .exited(130))
  }

  @Test func `Ctrl-C at a prompt stops what is busy behind it`() throws {
    let program = try Program(
      ["repl", "--turn", "3600"], in: folder, output: .terminal(terminal.name))
    terminal.wait(for: "> ")
    terminal.type("after(0.5, function() print('BUSY') while true do end end)\r", until: "BUSY\r\n")
    terminal.type("\u{3}")
    terminal.wait(for: "interrupted")
    terminal.type("print('goes', 'on')\r")
    // Keys that come before the prompt is back are the terminal's own.
    terminal.wait(for: "goes\ton\r\n\u{1b}[?2004h")
    terminal.type("\u{4}")
    #expect(finishLive(program) != .timedOut)
  }
}
