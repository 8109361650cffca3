import Testing
import TideBindings
import TideGraph
import TideScript

@testable import TideViews

/// What a person types or presses goes into the record that it was begun on.
@Suite struct `A record that is being edited` {
  /// Rows with a name, a rank and a switch, a controller that shows those whose name begins with
  /// "a", and what shows the selected one.
  private struct Desk {
    private let app: ShownApp
    var runtime: Runtime { app.runtime }
    var scene: Scene { app.scene }

    init(_ controller: String = "", views: String = Self.details, size: Int = 40) throws {
      app = try ShownApp(
        """
        rows = list {}
        for i, name in ipairs { "apple", "avocado", "banana", "arum" } do
          rows:append { id = i, name = name, rank = i, done = false, notes = "" }
        end
        c = controller.list { name = "c", content = rows, selectionIndex = 1,
          filter = function(r) return r.name:sub(1, 1) == "a" end, \(controller) }
        \(views)
        """, width: size)
    }

    static let details = """
      show(view.column {
        view.list { id = "l", height = 4, bindTo = {
          items = "c.arrangedObjects", selectedIndex = "<> c.selectionIndex" },
          cell = function() return view.cell { view.label { bindTo = { text = "dataObject.name" } } } end },
        view.field { id = "name", bindTo = { text = "<> c.selection.name" } },
        view.textArea { id = "notes", height = 2, bindTo = { text = "<> c.selection.notes" } },
        view.stepper { id = "rank", maximum = 1000, bindTo = { value = "<> c.selection.rank" } },
        view.toggle { id = "done", bindTo = { isOn = "<> c.selection.done" } },
      })
      """

    func draw() throws { try app.draw() }
    func press(_ keys: String) throws { try app.press(keys) }
    func run(_ script: String) throws { try app.run(script) }
    func focus(_ id: String) throws { try run("views.\(id):focus()") }

    func value(_ script: String) throws -> Value { try runtime.evaluate(script, as: Value.self) }

    /// The names of all rows, and of those that are shown.
    var names: String { get throws { try text("rows") } }
    var shown: String { get throws { try text("c.arrangedObjects") } }

    private func text(_ list: String) throws -> String {
      let script =
        "local t = {} for _, r in ipairs(\(list)) do t[#t + 1] = r.name end return table.concat(t, ' ')"
      return try runtime.evaluate("(function() \(script) end)()", as: String.self)
    }

    var notices: String { runtime.errorsOfEdits.map(\.message).joined(separator: "\n") }
  }

  @Test func `keeps its place under a filter until the field lets go of the focus`() throws {
    let desk = try Desk()
    try desk.focus("name")
    try desk.press("Home X Y Z")
    #expect(try desk.names == "XYZapple avocado banana arum")
    #expect(try desk.shown == "XYZapple avocado arum")
    #expect(try desk.value("c.selectedObject == rows[1] and c.editedObject == rows[1]") == true)
    try desk.press("Tab")
    #expect(try desk.shown == "avocado arum")
    #expect(try desk.value("c.editedObject == nil and c.selectedObject == rows[2]") == true)
  }

  @Test func `keeps its place in an order`() throws {
    let desk = try Desk("sort = 'name'")
    try desk.focus("name")
    try desk.press("Home a z")
    #expect(try desk.shown == "azapple arum avocado")
    try desk.press("Tab")
    #expect(try desk.shown == "arum avocado azapple")
    #expect(try desk.value("c.selectedObject == rows[1] and c.selectionIndex") == 3)
  }

  @Test func `keeps its place in a new filter and a new order`() throws {
    let desk = try Desk()
    try desk.focus("name")
    try desk.press("Home X")
    try desk.run("c.filter = function(r) return r.rank > 2 end")
    #expect(try desk.shown == "Xapple banana arum")
    try desk.run("c.sort = '-rank'")
    #expect(try desk.shown == "Xapple arum banana")
    try desk.press("Y Tab")
    #expect(try desk.names == "XYapple avocado banana arum")
    #expect(try desk.shown == "arum banana")
  }

  @Test(arguments: [
    ("name", "Home X Y", "XYapple 1 false"), ("rank", "Up Up Up", "apple 4 false"),
    ("done", "Space Space Space", "apple 1 true"), ("notes", "h i", "apple 1 false"),
  ])
  func `is the one that every control began with`(
    id: String, keys: String, expected: String
  ) throws {
    let desk = try Desk(
      """
      filter = function(r)
        return r.name:sub(1, 1) == "a" and r.rank <= 4 and (r.rank ~= 2 or r.id == 2) and
          not r.done and r.notes == ""
      end
      """)
    try desk.focus(id)
    try desk.press(keys)
    #expect(
      try desk.value("rows[1].name .. ' ' .. rows[1].rank .. ' ' .. tostring(rows[1].done)")
        == .string(expected))
    #expect(
      try desk.value("rows[2].name .. rows[2].rank .. tostring(rows[2].done)") == "avocado2false")
    #expect(try desk.value("c.editedObject == rows[1]") == true)
  }

  @Test func `stays when another's write would take it out`() throws {
    let desk = try Desk()
    try desk.focus("name")
    try desk.press("End s")
    try desk.run("rows[1].name = 'Q' .. rows[1].name")
    try desk.press("End t")
    #expect(try desk.names == "Qapplest avocado banana arum")
  }

  @Test func `moves at once with holdsEditedRow off`() throws {
    let desk = try Desk("holdsEditedRow = false")
    try desk.focus("name")
    try desk.press("Home X")
    #expect(try desk.shown == "avocado arum")
  }

  @Test func `is another one after another selection, a commit or a discard`() throws {
    for end in ["c:commitEditing()", "c:discardEditing()", "c.selectionIndex = 2"] {
      let desk = try Desk()
      try desk.focus("name")
      try desk.press("Home X")
      try desk.run(end)
      #expect(try desk.shown == "avocado arum", "\(end)")
      #expect(try desk.value("c.editedObject == nil and c.selectedObject == rows[2]") == true)
      try desk.press("Home a")
      #expect(try desk.names == "Xapple aavocado banana arum", "\(end)")
    }
  }

  @Test func `takes nothing more when it is removed, and what was typed is told`() throws {
    let desk = try Desk()
    try desk.focus("name")
    try desk.press("End s")
    try desk.run("gone = rows[1] rows:remove(1)")
    try desk.press("t u")
    #expect(try desk.names == "avocado banana arum")
    #expect(try desk.value("gone.name") == "apples")
    #expect(desk.notices.contains("\"tu\"") && desk.notices.contains("[\"apple\"]"))
    #expect(try desk.value("#errors()") == 0)
    // Selecting, or the focus, begins anew.
    try desk.press("Shift-Tab Tab End v")
    #expect(try desk.names == "avocadov banana arum")
  }

  @Test func `takes no press when it is removed`() throws {
    let desk = try Desk()
    try desk.focus("done")
    try desk.press("Space")
    try desk.run("rows:remove(1)")
    try desk.press("Space")
    #expect(try desk.value("rows[1].done") == false)
    #expect(!desk.notices.isEmpty)
  }

  @Test func `is the same when the same rows are fetched anew`() throws {
    let desk = try Desk()
    try desk.focus("name")
    try desk.press("Home X")
    try desk.run("rows:set { rows[4], rows[2], rows[1], rows[3] }")
    try desk.press("Y")
    #expect(try desk.value("c.editedObject.name") == "XYapple")
    #expect(desk.notices.isEmpty)
  }

  @Test func `keeps its place in a view of derived rows`() throws {
    let desk = try Desk(
      views: """
        state = model "state" { current = property { nullable = true } }
        show(view.column {
          view.list { id = "l", height = 4, bindTo = { selectedObject = "<> state.current" },
            items = rows:filter(function(r) return r.name:sub(1, 1) == "a" end)
              :sorted(function(r) return r.name end) },
          view.field { id = "name", bindTo = { text = "<> state.current.name" } },
        })
        views.l.selectedIndex = 1
        """)
    try desk.focus("name")
    try desk.press("Home X Y")
    #expect(try desk.names == "XYapple avocado banana arum")
    #expect(try desk.value("views.l.selectedObject == rows[1]") == true)
    try desk.press("Tab")
    #expect(try desk.value("views.l.selectedObject") != desk.value("rows[1]"))
  }

  @Test func `keeps its place in a cell`() throws {
    let desk = try Desk(
      "sort = 'name'",
      views: """
        show(view.list { id = "l", height = 6, bindTo = {
          items = "c.arrangedObjects", selectedIndex = "<> c.selectionIndex" },
          cell = function() return view.cell {
            view.field { width = 12, bindTo = { text = "<> dataObject.name" } },
            view.toggle { bindTo = { isOn = "<> dataObject.done" } },
          } end })
        """)
    try desk.press("Tab Tab Home X Y")
    #expect(try desk.names == "XYapple avocado banana arum")
    #expect(try desk.shown == "XYapple arum avocado")
    try desk.press("Shift-Tab")
    #expect(try desk.shown == "arum avocado")
  }

  @Test func `is let go of by a click only when the click is done`() throws {
    let desk = try Desk("sort = 'name'")
    try desk.focus("name")
    try desk.press("Home a z")
    #expect(try desk.shown == "azapple arum avocado")
    // The second row: what stands there when the button goes down.
    for kind in [MouseEvent.Kind.press(.left), .release(.left)] {
      desk.scene.send(.mouse(MouseEvent(kind, at: Point(x: 1, y: 1))))
      try desk.draw()
    }
    #expect(try desk.value("c.selectedObject.name") == "arum")
    #expect(try desk.shown == "arum avocado azapple")
  }

  @Test func `is the one whose toggle is clicked twice, whatever has the focus`() throws {
    let desk = try Desk(
      "filter = function(r) return not r.done end",
      views: """
        show(view.list { id = "l", height = 6, bindTo = {
          items = "c.arrangedObjects", selectedIndex = "<> c.selectionIndex" },
          cell = function() return view.cell {
            view.checkbox { focusable = false, bindTo = { isOn = "<> dataObject.done" } },
            view.label { bindTo = { text = "dataObject.name" } },
          } end })
        """)
    for _ in 1...3 {
      for kind in [MouseEvent.Kind.press(.left), .release(.left)] {
        desk.scene.send(.mouse(MouseEvent(kind, at: Point(x: 0, y: 1))))
        try desk.draw()
      }
    }
    #expect(try desk.value("rows[2].done and not rows[1].done and not rows[3].done") == true)
    try desk.press("Down")
    #expect(try desk.shown == "apple banana arum")
  }

  @Test func `is over where the row is removed that a filter has left out`() throws {
    let desk = try Desk()
    try desk.focus("name")
    try desk.press("Home X")
    // The filter has nothing more to say of it.
    try desk.run("rows:remove(1)")
    #expect(try desk.shown == "avocado arum")
    try desk.press("Y")
    #expect(try desk.names == "avocado banana arum")
    #expect(desk.notices.contains("Y"), "\(desk.notices)")
  }

  @Test func `keeps its group`() throws {
    let desk = try Desk(
      views: """
        groups = rows:group(function(r) return r.name:sub(1, 1) end)
        show(view.column {
          view.tree { id = "t", height = 8, items = groups, childrenPath = "items" },
          view.field { id = "name", bindTo = { text = "<> c.selection.name" } },
        })
        """)
    try desk.focus("name")
    try desk.press("Home X Y")
    #expect(try desk.value("#groups") == 2)
    #expect(try desk.names == "XYapple avocado banana arum")
    try desk.press("Shift-Tab")
    #expect(try desk.value("#groups") == 3)
  }

  @Test func `goes on after a commit of its controller in another place`() throws {
    let desk = try Desk("sort = 'name'")
    try desk.focus("name")
    try desk.press("Home z")
    try desk.run("c:commitEditing()")
    #expect(try desk.shown == "arum avocado")
  }

  @Test func `leaves the focus with what contained its field`() throws {
    let desk = try Desk(
      views: """
        which = model "which" { open = true }
        show(view.column { focusable = true, id = "top",
          function() if which.open then
            return view.field { id = "name", bindTo = { text = "<> c.selection.name" } }
          end end,
          view.field { id = "other", text = "other" },
        })
        """)
    try desk.focus("name")
    try desk.press("End s")
    try desk.run("which.open = false")
    #expect(try desk.value("views.top.focused") == true)
    try desk.press("x")
    #expect(try desk.value("views.other.text") == "other")
  }

  @Test(arguments: [("pay", false), ("on", false), ("pay", true)])
  func `a press that is held while its row goes does nothing to another, and is told`(
    id: String, isDrawnAway: Bool
  ) throws {
    let desk = try Desk(
      views: """
        paid = ""
        show(view.list { id = "l", items = rows, height = 4, cell = function() return view.cell { view.row {
          view.button { id = "pay", title = "Pay", on = { touchUpInside = function(sender)
            paid = paid .. sender.dataObject.name end } },
          view.toggle { id = "on", bindTo = { isOn = "<> dataObject.done" } },
        } } end })
        """)
    try desk.draw()
    let view = try #require(desk.scene.window.find(id))
    var point = view.layout.rect.origin
    desk.scene.send(.mouse(MouseEvent(.press(.left), at: point)))
    if isDrawnAway {
      point.x = 39
      desk.scene.send(.mouse(MouseEvent(.drag(.left), at: point)))
    }
    try desk.run("rows:remove(1)")
    try desk.draw()
    desk.scene.send(.mouse(MouseEvent(.release(.left), at: point)))
    try desk.draw()
    #expect(try desk.value("paid .. tostring(rows[1].done)") == "false")
    let told = "\"\(id)\" was pressed after its record was removed or replaced; nothing was done"
    #expect(desk.notices.contains(told) != isDrawnAway, "\(desk.notices)")
  }

  @Test func `a context menu does nothing to the row that took the place of its own`() throws {
    let desk = try Desk(
      views: """
        deleted = ""
        local shown
        shown = view.list { id = "l", items = rows, height = 6, selectedIndex = 1, contextMenu = {
          { title = "Delete", command = function() deleted = deleted .. shown.selectedObject.name end } } }
        show(shown)
        """)
    try desk.draw()
    for (removal, expected) in [
      ("", "apple"), ("rows:remove(1) views.l.selectedIndex = 1", "apple"),
    ] {
      let point = try #require(desk.scene.window.find("l")).layout.rect.origin
      for kind in [MouseEvent.Kind.press(.right), .release(.right)] {
        desk.scene.send(.mouse(MouseEvent(kind, at: point)))
      }
      try desk.draw()
      try desk.run(removal)
      try desk.draw()
      try desk.press("Down Enter")
      #expect(try desk.value("deleted") == .string(expected))
    }
    #expect(desk.notices.contains("the menu item \"Delete\" was pressed after"))
  }
}
