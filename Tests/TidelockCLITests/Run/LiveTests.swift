import TestFolders
import Glibc
import Testing

/// `run` in a terminal.
@Suite(.serialized) struct LiveTests: LiveSuite {
  let folder: ScratchFolder
  let terminal: Terminal

  init() throws {
    folder = try ScratchFolder()
    terminal = try Terminal()
  }

  private static let fruit = """
    local fruit = model "fruit" { name = "apple" }
    print("started")
    return view.column {
      view.label { bindTo = { text = "fruit.name" } },
      view.field { bindTo = { text = "<> fruit.name" } },
    }
    """

  @Test func `Ctrl-C quits, and the terminal is as it was`() throws {
    let program = try startLive(Self.fruit)
    terminal.wait(for: "apple")
    #expect(!terminal.isUsual)
    terminal.clear()
    terminal.type("\u{3}")
    #expect(finishLive(program) == .exited(130))
    #expect(terminal.isUsual)
    #expect(terminal.screen.contains("\u{1b}[?1049l"))
  }

  @Test func `a dumb terminal is told in one line, with a picture as the way out`() throws {
    folder.write(Self.fruit, to: "app.lua")
    let program = try Program(
      ["run", "app.lua"], in: folder, output: .terminal(terminal.name),
      environment: ["TERM": "dumb"])
    terminal.wait(for: "TERM=dumb")
    terminal.wait(for: "--snapshot")
    #expect(program.finish(seconds: 10, meanwhile: terminal.read).status == .exited(69))
    #expect(!terminal.screen.contains("\u{1b}["))
  }

  @Test func `Escape hides the error of a save, of which the status line tells on`() throws {
    let rows = """
      local rows = {}
      for i = 1, 22 do rows[i] = view.label { text = ('row-' .. i .. ' '):rep(11) } end
      """
    let program = try startLive(rows + " return view.column(rows)")
    terminal.wait(for: "row-12")
    folder.write("return view.column {", to: "app.lua")
    terminal.wait(for: "Escape hides it")
    terminal.wait(for: "old version")
    terminal.clear()
    terminal.type("\u{1b}", until: "row-12")
    terminal.clear()
    terminal.type("?", until: "the error of a save")
    terminal.type("\u{1b}")
    terminal.wait(for: "row-12")
    // The next one shows again.
    folder.write("return view.row {", to: "app.lua")
    terminal.wait(for: "Escape hides it")
    terminal.clear()
    folder.write(rows + " rows[12].text = 'REPAIRED' return view.column(rows)", to: "app.lua")
    terminal.wait(for: "REPAIRED")
    terminal.type("\u{3}")
    #expect(finishLive(program) == .exited(130))
  }

  @Test func `a failed save shows its error beside an open dialog`() throws {
    let app = """
      return view.column {
        view.dialog { title = "D", modal = true, view.label { text = "inside" } },
      }
      """
    let program = try startLive(app)
    terminal.wait(for: "inside")
    terminal.clear()
    folder.write(app + "\nlocal x = = 3", to: "app.lua")
    terminal.wait(for: "The next good save takes this away.")
    terminal.clear()
    // The dialog is still in sight below the error when all is drawn again.
    terminal.type("\u{c}", until: "inside")
    terminal.wait(for: "The next good save takes this away.")
    folder.write(app.replacing("inside", with: "mended"), to: "app.lua")
    terminal.wait(for: "mended")
    terminal.type("\u{3}")
    #expect(finishLive(program) == .exited(130))
  }

  private static let asking = """
    local pet = model "pet" { answer = "none yet" }
    return view.column {
      view.label { bindTo = { text = "pet.answer" } },
      view.button { title = "press", on = { touchUpInside = function()
        spawn(function() pet.answer = ask { title = "Sure?", buttons = { "Yes", "No" } } end)
      end } },
    }
    """

  @Test func `a save while a question is open waits for the answer, as the status row says`() throws
  {
    let program = try startLive(Self.asking)
    terminal.wait(for: "none yet")
    terminal.type("\t\r", until: "Sure?")
    terminal.clear()
    folder.write(Self.asking.replacing("\"press\"", with: "\"other\""), to: "app.lua")
    terminal.wait(for: "saved; it reloads when the question is answered")
    #expect(!terminal.screen.contains("other"))
    // The answer goes to the question, and the new version shows it.
    terminal.type("\r", until: "reloaded 1 of 1")
    terminal.wait(for: "other")
    terminal.wait(for: "Yes")
    terminal.type("\u{3}")
    #expect(finishLive(program) == .exited(130))
  }

  @Test func `r in the log ends the question and reloads`() throws {
    let program = try startLive(Self.asking)
    terminal.wait(for: "none yet")
    terminal.type("\t\r", until: "Sure?")
    folder.write(Self.asking.replacing("\"press\"", with: "\"pushed\""), to: "app.lua")
    terminal.wait(for: "saved; it reloads")
    terminal.clear()
    // F12.
    terminal.type("\u{1b}[24~", until: "r reloads")
    terminal.type("r", until: "reloaded 1 of 1")
    terminal.wait(for: "pushed")
    terminal.type("\u{3}")
    #expect(finishLive(program) == .exited(130))
  }

  @Test func `a bad save while a question is open shows its error after the answer`() throws {
    let program = try startLive(Self.asking)
    terminal.wait(for: "none yet")
    terminal.type("\t\r", until: "Sure?")
    terminal.clear()
    folder.write(Self.asking + " nonsense", to: "app.lua")
    terminal.wait(for: "saved; it reloads")
    #expect(!terminal.screen.contains("Escape hides it"))
    terminal.type("\r", until: "Escape hides it")
    terminal.type("\u{3}")
    #expect(finishLive(program) == .exited(130))
  }

  @Test func `Escape puts away the errors of the status line until they come again`() throws {
    let program = try startLive(
      """
      return view.column {
        view.label { text = "the app" },
        view.button { title = "press", on = { touchUpInside = function() error "of a handler" end } },
      }
      """)
    terminal.wait(for: "the app")
    terminal.type("\t\r", until: "1 error: app.lua:3: of a handler")
    terminal.clear()
    terminal.type("\u{1b}", until: "app.lua")
    terminal.clear()
    terminal.type("\r", until: "1 error: app.lua:3: of a handler")
    terminal.type("\u{3}")
    #expect(finishLive(program) == .exited(130))
  }

  @Test func `what was printed follows after the end`() throws {
    let program = try startLive("after(0.05, function() print('from a timer') end)\n" + Self.fruit)
    terminal.wait(for: "apple")
    usleep(200_000)
    terminal.clear()
    terminal.type("\u{3}")
    _ = finishLive(program)
    let parts = terminal.screen.split(separator: "\u{1b}[?1049l")
    #expect(parts.last?.contains("from a timer") == true)
  }

  @Test func `at the end the terminal gets what is still wrong, and nothing that was mended`()
    throws
  {
    let script = """
      print "printed"
      local m = model "m" { n = 0 }
      local function bad() effect(function() if m.n == 0 then error "EARLY" end end) end
      bad()
      return view.column {
        view.button { title = "go", on = { touchUpInside = function() error "LATE" end } },
        view.label { text = "first" },
      }
      """
    let program = try startLive(script)
    terminal.wait(for: "first")
    folder.write(script + "(", to: "app.lua")
    terminal.wait(for: "not reloaded")
    folder.write(
      script.replacing("bad()\n", with: "\n").replacing("first", with: "second"), to: "app.lua")
    terminal.wait(for: "second")
    terminal.type("\t\r", until: "LATE")
    terminal.clear()
    folder.write("return view.label {", to: "app.lua")
    terminal.wait(for: "not reloaded")
    terminal.clear()
    terminal.type("\u{3}")
    #expect(finishLive(program) == .exited(130))
    let rest = terminal.screen.split(separator: "\u{1b}[?1049l").last ?? ""
    #expect(rest.contains("printed"), "\(rest)")
    #expect(rest.contains("app.lua:1:") && rest.contains("LATE"), "\(rest)")
    #expect(!rest.contains("EARLY") && !rest.contains("eloaded"), "\(rest)")
  }

  @Test func `what is typed changes the model and what shows it`() throws {
    let program = try startLive(Self.fruit)
    terminal.wait(for: "apple")
    terminal.type("\t\u{1b}[F!!", until: "!!")
    terminal.type("\u{3}")
    #expect(finishLive(program) == .exited(130))
  }

  @Test func `the script's exit ends it`() throws {
    let program = try startLive("after(0.1, function() exit(7) end)\n" + Self.fruit)
    #expect(finishLive(program) == .exited(7))
    #expect(terminal.isUsual)
  }

  @Test func `a time bounds it`() throws {
    let program = try startLive(Self.fruit, ["--for", "0.3"])
    #expect(finishLive(program) == .exited(0))
  }

  @Test func `a signal ends it, and the terminal is as it was`() throws {
    let program = try startLive(Self.fruit)
    terminal.wait(for: "apple")
    program.send(SIGTERM)
    #expect(finishLive(program) == .exited(128 + SIGTERM))
    #expect(terminal.isUsual)
  }

  @Test func `a save is shown`() throws {
    let program = try startLive("return view.label { text = 'first' }")
    terminal.wait(for: "first")
    folder.write("return view.label { text = 'SECOND' }", to: "app.lua")
    terminal.wait(for: "SECOND")
    terminal.type("\u{3}")
    _ = finishLive(program)
    #expect(terminal.screen.contains("reloaded 1 of 1 modules in"))
  }

  @Test func `a broken save is shown over the app until the next good one`() throws {
    let program = try startLive("return view.label { text = 'first' }")
    terminal.wait(for: "first")
    folder.write("return view.label {", to: "app.lua")
    terminal.wait(for: "error[E0401]")
    folder.write("return view.label { text = 'THIRD' }", to: "app.lua")
    terminal.wait(for: "THIRD")
    terminal.type("\u{3}")
    #expect(finishLive(program) == .exited(130))
  }

  @Test func `a broken first run waits for a save`() throws {
    let program = try startLive("return view.label {")
    terminal.wait(for: "error[E0401]")
    folder.write("return view.label { text = 'repaired' }", to: "app.lua")
    terminal.wait(for: "repaired")
    terminal.type("\u{3}")
    #expect(finishLive(program) == .exited(130))
  }

  @Test func `without watching a broken first run ends`() throws {
    let program = try startLive("return view.label {", ["--no-watch"])
    #expect(finishLive(program) == .exited(65))
    #expect(terminal.screen.contains("app.lua:1:"))
  }

  @Test func `keys reload and reset in the log, and explain`() throws {
    let script = """
      local m = model "m" { runs = 0 }
      m.runs = m.runs + 1
      return view.label { text = ({ "alpha", "BETA", "gamma" })[m.runs] }
      """
    let program = try startLive(script)
    terminal.wait(for: "alpha")
    terminal.clear()
    terminal.type("\u{1b}[24~", until: "r reloads, R starts the app anew")
    terminal.type("r", until: "BETA")
    terminal.type("R")
    terminal.wait(for: "alpha")
    terminal.type("\u{1b}[24~")
    terminal.type("?", until: "show or hide these keys")
    terminal.type("\u{3}")
    #expect(finishLive(program) == .exited(130))
  }

  @Test func `letters find rows, and those that find none leave the app as it is`() throws {
    let script = """
      local m = model "m" { runs = 0, text = "" }
      m.runs = m.runs + 1
      return view.column {
        view.table { height = 4, columns = { "name" }, items = list { { name = "fig" } } },
        view.label { text = function() return "run " .. m.runs .. " <" .. m.text .. ">" end },
        view.field { bindTo = { text = "<> m.text" } },
      }
      """
    let program = try startLive(script)
    terminal.wait(for: "run 1 <>")
    // The table has the focus, and then the field, in which Ctrl-Z has nothing to undo.
    terminal.type("\tRr\t\u{1a}\u{1a}here", until: "here>")
    // It draws everything again.
    terminal.type("\u{c}", until: "run 1 <here>")
    // While the log is shown as well, what is typed into a text stays there.
    terminal.type("\u{1b}[24~", until: "R starts the app anew")
    terminal.type("Rr", until: "Rr>")
    terminal.type("\u{c}", until: "run 1 <hereRr>")
    terminal.type("\u{3}")
    #expect(finishLive(program) == .exited(130))
  }

  @Test func `without watching no key reloads`() throws {
    let script = """
      local m = model "m" { runs = 0 }
      m.runs = m.runs + 1
      return view.column {
        view.label { text = "run " .. m.runs .. "." },
        view.button { title = "go", keys = { x = function() print("heard") end } },
      }
      """
    let program = try startLive(script, ["--no-watch"])
    terminal.wait(for: "run 1.")
    terminal.type("\u{1b}[24~", until: "Log (F12 closes it)")
    terminal.type("rR\tx", until: "heard")
    #expect(terminal.screen.contains("run 1."))
    terminal.type("\u{3}")
    #expect(finishLive(program) == .exited(130))
  }

  @Test func `an error while it runs is in the status line, with its location, and in the log`()
    throws
  {
    let script = """
      local m = model "m" { rows = list { 1, 2 } }
      return view.column {
        view.button { title = "go", on = { touchUpInside = function() error("no way") end } },
        view.list { items = m.rows, cell = function(row) return view.cell { row.name } end },
      }
      """
    let program = try startLive(script)
    terminal.wait(for: "app.lua:4: ")
    terminal.type("\t\r", until: "3: no way")
    terminal.clear()
    terminal.type("\u{1b}[24~", until: "Log (F12 closes it")
    terminal.wait(for: "app.lua:3:")
    terminal.type("\u{3}")
    _ = finishLive(program)
  }

  @Test func `the keys of the focused view are explained, and its tooltip is shown`() throws {
    let program = try startLive(
      """
      return view.column { view.list { tooltip = "Pick one" , items = list { "a", "b" } } }
      """)
    terminal.wait(for: "? keys")
    terminal.type("\t", until: "Pick one")
    terminal.type("?")
    terminal.wait(for: "the row above, below")
    terminal.type("\u{3}")
    #expect(finishLive(program) == .exited(130))
  }

  @Test func `keys on the command line are typed`() throws {
    let program = try startLive(Self.fruit, ["--keys", "Tab End x y"])
    terminal.wait(for: "xy")
    terminal.type("\u{3}")
    _ = finishLive(program)
  }
}
