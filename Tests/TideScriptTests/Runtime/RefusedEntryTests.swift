import Testing
import TideBindings
import TideGraph
import TideScript
import TideViews

/// What a person has entered and nobody takes stays with its record, and is never lost without a
/// word.
@Suite struct `An entry that is refused` {
  private func desk(_ field: String) throws -> ShownApp {
    try ShownApp(
      """
      rows = list { { name = "ann", n = 5, at = 86400 }, { name = "bob", n = 5, at = 86400 } }
      c = controller.list { name = "c", content = rows, selectionIndex = 1 }
      show(view.column {
        view.list { id = "l", height = 3, bindTo = {
          items = "c.arrangedObjects", selectedIndex = "<> c.selectionIndex" } },
        view.tabs { id = "tabs", titles = { "one", "two" },
          view.column { \(field) }, view.label { text = "two" } },
      })
      views.entry:focus()
      """)
  }

  private static let number =
    "view.numberField { id = 'entry', maximum = 1000, bindTo = { value = '<> c.selection.n' } }"
  private static let date =
    "view.datePicker { id = 'entry', utc = true, bindTo = { value = '<> c.selection.at' } }"
  private static let plain = "view.field { id = 'entry', bindTo = { text = '<> c.selection.n' } }"

  @Test(arguments: [number, date, plain])
  func `is an edit, and nothing else can be selected`(field: String) throws {
    let desk = try desk(field)
    try desk.press("End x")
    #expect(try desk.holds("c.isEditing and c:commitEditing() == false"))
    try desk.run("c.selectionIndex = 2")
    #expect(try desk.holds("c.selectionIndex == 1 and views.entry.focused"))
    try desk.press("Shift-Tab Shift-Tab Down")
    #expect(try desk.holds("c.selectionIndex == 1 and views.entry.focused"))
    #expect(try desk.holds("views.entry.error ~= nil and views.entry.text:find('x') ~= nil"))
    #expect(try desk.holds("rows[1].n == 5 and rows[2].n == 5 and rows[1].at == 86400"))
  }

  @Test(arguments: [number, date, plain])
  func `is given up by Escape`(field: String) throws {
    let desk = try desk(field)
    try desk.press("End x Escape")
    #expect(try desk.holds("not c.isEditing and views.entry.error == nil"))
    #expect(try desk.holds("views.entry.text:find('x') == nil"))
    try desk.run("c.selectionIndex = 2")
    #expect(try desk.holds("c.selectionIndex == 2"))
  }

  @Test(arguments: [number, date, plain])
  func `keeps its tab`(field: String) throws {
    let desk = try desk(field)
    try desk.press("End x")
    let tabs = try #require(desk.scene.root?.find("tabs"))
    desk.scene.perform(.choose(1), on: tabs)
    try desk.draw()
    #expect(try desk.holds("views.tabs.selected == 1 and views.entry.focused"))
  }

  @Test func `leaves what was there before the editing`() throws {
    let desk = try desk(Self.number)
    try desk.press("Ctrl-A 9 9 9 9 Tab")
    #expect(try desk.holds("rows[1].n == 5 and views.entry.text == '9999'"))
    #expect(
      try desk.holds("views.entry.error == 'Enter 1,000 or less' or views.entry.error ~= nil"))
  }

  private static let judged = """
    view.field { id = 'entry', bindTo = { text = { path = '<> c.selection.n',
      validate = function(n) if tonumber(n) > 1000 then return nil, 'too many' end return n end } } }
    """

  @Test func `leaves what was there before the editing where the model refuses it`() throws {
    let desk = try desk(Self.judged)
    try desk.press("Ctrl-A 9 9 9")
    #expect(try desk.holds("rows[1].n == 999"))
    try desk.press("9")
    #expect(try desk.holds("rows[1].n == 5 and views.entry.text == '9999'"))
    try desk.press("Backspace")
    #expect(try desk.holds("rows[1].n == 999 and views.entry.error == nil"))
    try desk.press("9 Escape")
    #expect(try desk.holds("rows[1].n == 5 and views.entry.text == '5'"))
    try desk.run("rows[1].n = 7")
    #expect(try desk.holds("views.entry.text == '7'"))
    try desk.run("rows[1].n = 5")
    #expect(try desk.holds("views.entry.text == '5'"))
  }

  @Test func `leaves what Enter has entered before`() throws {
    let desk = try desk(Self.judged)
    try desk.press("Ctrl-A 9 Enter 9 9 9")
    #expect(try desk.holds("rows[1].n == 9 and views.entry.text == '9999'"))
  }

  @Test func `gives each of several selected records its own value back`() throws {
    let desk = try desk(Self.judged)
    try desk.run("rows[2].n = 6 c.selectionIndexes = { 1, 2 } views.entry:focus()")
    try desk.press("Ctrl-A 9 9 9 9")
    #expect(try desk.holds("rows[1].n == 5 and rows[2].n == 6"))
  }

  @Test func `has the words of its property where the control refuses it`() throws {
    let desk = try desk(Self.plain)
    try desk.run(
      """
      item = object { n = property { default = 5, invalid = "not so many" } }
      many = view.numberField { id = "many", maximum = 9 }
      views.tabs.superview:add(many)
      bind("n <> value", item, many)
      many:focus()
      """)
    try desk.press("End 0")
    #expect(try desk.holds("many.error == 'not so many' and item.n == 5"))
  }

  @Test(arguments: [number, date, plain])
  func `is told when its record goes, and does not show under another`(field: String) throws {
    let desk = try desk(field)
    try desk.press("End x")
    try desk.run("rows:remove(1)")
    try desk.press("y")
    #expect(try desk.holds("views.entry.text:find('x') == nil and rows[1].n == 5"))
    #expect(
      desk.runtime.errorsOfEdits.contains { $0.code == .unwritten && $0.message.contains("x") })
  }

  @Test func `keeps a dialog open whose default button is pressed`() throws {
    let desk = try desk(Self.plain)
    try desk.run(
      """
      pressed = 0
      box = view.dialog { modal = true,
        view.field { id = "age", bindTo = { text = "<> c.selection.n" } },
        view.button { id = "ok", title = "OK", role = "submit",
          on = { touchUpInside = function() pressed = pressed + 1 end } } }
      views.tabs.superview:add(box)
      views.age:focus()
      """)
    try desk.press("x Tab Enter")
    #expect(try desk.holds("pressed == 0 and views.age.focused and views.age.error ~= nil"))
    try desk.press("Escape Tab Enter")
    #expect(try desk.holds("pressed == 1 and rows[1].n == 5"))
  }
}
