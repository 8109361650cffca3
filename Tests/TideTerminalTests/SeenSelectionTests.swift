import Testing
import TideBindings
import Tidelock

@testable import TideTerminal
@testable import TideViews

extension TerminalSuites {
  /// Presses that come when something else is selected than the terminal showed.
  @Suite("A press in a terminal") struct SeenSelectionTests {
    private let runtime: Runtime
    private let scene: Scene
    private let terminal: PseudoTerminal
    private let renderer: TerminalRenderer

    init() throws {
      runtime = try Runtime(file: "app.lua")
      try runtime.evaluate(
        """
        desk = model "desk" { done = "", note = "", rows = list {
          { name = "ann", n = 1 }, { name = "bob", n = 1 }, { name = "cid", n = 1 } } }
        current = model "current" { item = desk.rows[1] }
        chosen = controller.list { name = "chosen", content = desk.rows, selectionIndex = 1 }
        local function note(name) desk.done = desk.done .. name .. " " end
        show(view.column {
          view.list { id = "rows", height = 4, bindTo = {
            items = "chosen.arrangedObjects", selectedIndex = "<> chosen.selectionIndex" },
            on = { delete = function(_, event) note("-" .. event.value.name) end } },
          view.button { id = "use", title = "Use", on = {
            touchUpInside = function() note(chosen.selectedObject.name) end } },
          view.button { id = "other", title = "Other", on = {
            touchUpInside = function() note "other" end } },
          view.field { id = "note", bindTo = { text = "<> desk.note" }, on = {
            editingChanged = function() note(chosen.selectedObject.name) end } },
          view.field { id = "name", bindTo = { text = "<> chosen.selection.name" } },
          view.field { id = "late", bindTo = {
            text = { path = "<> chosen.selection.name", continuous = false } } },
          view.stepper { id = "step", bindTo = { value = "<> chosen.selection.n" } },
          view.field { id = "item", bindTo = { text = "<> current.item.name" } },
        })
        """, as: Value.self)
      runtime.settle()
      scene = try #require(runtime.scene)
      terminal = try PseudoTerminal(columns: 40, rows: 16)
      renderer = TerminalRenderer(
        input: terminal.slave, output: terminal.slave,
        capabilities: TerminalCapabilities(colors: .ansi8), handlesSignals: false,
        capturesOutput: false)
      renderer.timeOfTurn = .infinity
      try scene.mount(renderer)
      try draw()
    }

    private func draw() throws {
      runtime.settle()
      for _ in 0..<5 where scene.needsFrame {
        try scene.commit()
        runtime.settle()
      }
      _ = terminal.output(wait: 0)
    }

    private func run(_ script: String) throws { try runtime.evaluate(script, as: Value.self) }

    private func press(_ keys: String) { terminal.hand(Array(keys.utf8), to: renderer) }

    private func focus(_ id: String) throws {
      try run("views.\(id):focus()")
      try draw()
    }

    private var done: String { get throws { try runtime.evaluate("desk.done", as: String.self) } }

    private var rows: String {
      get throws {
        try runtime.evaluate(
          "table.concat(desk.rows:map(function(row) return row.name .. row.n end):totable(), ' ')",
          as: String.self)
      }
    }

    private var notices: [String] { renderer.log.lines }

    @Test func `applies to no selection that the program has made since the last frame`() throws {
      defer { scene.unmount() }
      try focus("use")
      try run("chosen.selectionIndex = 2")
      press("\r")
      try draw()
      #expect(try done == "")
      #expect(notices == ["\(SelectionNotice.undone.rawValue) bob"])
      press("\r")
      try draw()
      #expect(try done == "bob ")
      #expect(notices.count == 1)
    }

    @Test func `that waits while a frame is drawn applies to what was shown before`() throws {
      defer { scene.unmount() }
      try focus("use")
      try run("chosen.selectionIndex = 2")
      terminal.type("\r")
      try draw()
      renderer.readInput()
      try draw()
      #expect(try done == "")
      #expect(notices.count == 1)
    }

    @Test func `by the mouse applies to what was shown, too`() throws {
      defer { scene.unmount() }
      let button = try #require(scene.view(at: Point(x: 2, y: 4)) as? ButtonView)
      #expect(button[.title] == "Use")
      try run("desk.rows:remove(1)")
      press("\u{1B}[<0;3;5M\u{1B}[<0;3;5m")
      try draw()
      #expect(try done == "")
      #expect(notices == ["\(SelectionNotice.undone.rawValue) bob"])
    }

    @Test func `that needs no selection, or whose user has made it, is carried out`() throws {
      defer { scene.unmount() }
      try focus("other")
      try run("chosen.selectionIndex = 2")
      press("\r")
      try draw()
      #expect(try done == "other ")
      try focus("rows")
      // Typed ahead, in one piece.
      press("\u{1B}[B\t\r")
      try draw()
      #expect(try done == "other cid ")
      #expect(notices.isEmpty)
    }

    @Test func `that types names its record itself`() throws {
      defer { scene.unmount() }
      try focus("note")
      try run("chosen.selectionIndex = 2")
      press("x")
      try draw()
      #expect(try done == "bob ")
      #expect(try runtime.evaluate("desk.note", as: String.self) == "x")
      #expect(notices.isEmpty)
    }

    @Test func `is meant, unlike a movement of the mouse or the focus`() throws {
      defer { scene.unmount() }
      try run(
        """
        local function hovered() desk.done = desk.done .. chosen.selectedObject.name .. " " end
        on(views.other, "hover", hovered)
        on(views.other, "focus", hovered)
        """)
      try focus("use")
      try run("chosen.selectionIndex = 2")
      press("\u{1B}[<35;3;6M\t")
      try draw()
      #expect(try done == "bob bob ")
      #expect(notices.isEmpty)
    }

    @Test(arguments: ["name", "late", "item"])
    func `that types goes into no record that has come since the last frame`(_ id: String) throws {
      defer { scene.unmount() }
      try focus(id)
      press("x")
      try draw()
      try run("chosen.selectionIndex = 2 current.item = desk.rows[2]")
      press("y")
      terminal.type("z")
      try draw()
      renderer.readInput()
      try draw()
      #expect(try rows == "annx1 bob1 cid1")
      #expect(notices.last == "\(SelectionNotice.typed.rawValue) yz")
      #expect(runtime.errorsOfEdits.count == 1)
      // Now it was seen.
      press("!\t")
      try draw()
      #expect(try rows == "annx1 bob!1 cid1")
    }

    @Test func `of a control's key changes no record that has come since the last frame`() throws {
      defer { scene.unmount() }
      try focus("step")
      press("\u{1B}[A")
      try draw()
      try run("chosen.selectionIndex = 2")
      press("\u{1B}[A")
      try draw()
      #expect(try rows == "ann2 bob1 cid1")
      #expect(notices.count == 1)
      try focus("rows")
      try run("desk.rows:remove(2)")
      press("\u{1B}[3~")
      try draw()
      #expect(try done == "")
      #expect(notices.count == 2)
      press("\u{1B}[3~")
      try draw()
      #expect(try done == "-cid ")
    }

    @Test func `goes to the record that keys before it have chosen`() throws {
      defer { scene.unmount() }
      try focus("rows")
      press("\u{1B}[B\t\t\t\txy\t\t\u{1B}[A")
      try draw()
      #expect(try rows == "ann1 bobxy2 cid1")
      #expect(notices.isEmpty)
    }

    @Test func `applies to a selection that nothing shows once the app has come to rest`() throws {
      defer { scene.unmount() }
      try run("hidden = controller.list { content = list { 'a', 'b' }, selectionIndex = 1 }")
      try run(
        "on(views.other, 'touchUpInside', function() desk.done = hidden.selectedObject end)")
      try focus("other")
      try run("hidden.selectionIndex = 2")
      try draw()
      press("\r")
      try draw()
      #expect(try done == "b")
      #expect(notices.isEmpty)
    }
  }
}
