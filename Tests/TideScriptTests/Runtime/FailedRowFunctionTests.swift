import Testing
import TideBindings
import TideGraph
import TideScript
import TideViews

/// What a function that a view of rows was given fails with for a row leaves nothing of another
/// row there, and is listed once, with the view and the row.
@Suite struct `A function of rows that fails` {
  private func desk(_ views: String) throws -> ShownApp {
    try ShownApp(
      """
      rows = list { { name = "ann" }, { name = "bob" }, { name = "cid" } }
      broken = object { name = "", all = false }
      function check(row)
        if broken.all or row.name == broken.name then error("cannot be had") end
      end
      c = controller.list { name = "c", content = rows }
      show(view.column { \(views) })
      """)
  }

  private static func list(_ options: String) -> String {
    """
    view.list { id = 'l', rowHeight = 1, items = rows, \(options) cell = function(row)
      check(row)
      return view.label { bindTo = { text = 'dataObject.name' } } end }
    """
  }

  @Test func `gives no cell to a row, and the cell of another is made anew`() throws {
    let desk = try desk(
      """
      view.list { id = 'l', rowHeight = 1, height = 1, cell = function(row)
        check(row)
        return view.label { bindTo = { text = 'dataObject.name' } } end }
      """)
    try desk.run("broken.name = 'ann' views.l.items = rows")
    #expect(!desk.shown.contains("ann"))
    #expect(desk.errors == ["cannot be had (list \"l\", row 1 (\"ann\"))"])
    try desk.run("views.l:scrollTo(2)")
    #expect(desk.shown.contains("bob"))
    #expect(desk.errors.isEmpty)
    try desk.run("views.l:scrollTo(1)")
    // The cell that could be made is there for any row; only what it shows is the row's.
    #expect(desk.shown.contains("ann") && !desk.shown.contains("bob"))
    #expect(desk.errors.isEmpty)
  }

  @Test func `gives a cell as soon as what it reads lets it`() throws {
    let desk = try desk("view.label { id = 'none' }, \(Self.list("height = 3, hidden = true,"))")
    try desk.run("broken.name = 'bob' views.l.hidden = false")
    #expect(desk.shown.contains("ann") && desk.shown.contains("cid"))
    #expect(!desk.shown.contains("bob"))
    #expect(desk.errors.count == 1)
    try desk.run("broken.name = ''")
    #expect(desk.shown.contains("bob"))
    #expect(desk.errors.isEmpty)
  }

  @Test func `is listed once for all rows of a table`() throws {
    let desk = try desk(
      """
      view.table { id = 't', height = 6, columns = {
        { title = 'Name', path = 'name' },
        { title = 'Made', cell = function(row) check(row) return view.label { text = 'made' } end } } }
      """)
    try desk.run("broken.all = true views.t.items = rows")
    #expect(desk.shown.contains("bob"))
    #expect(!desk.shown.contains("made"))
    #expect(desk.errors == ["cannot be had (table \"t\", row 1 (\"ann\") and 2 more)"])
    try desk.run("broken.all = false")
    #expect(desk.shown.contains("made"))
    #expect(desk.errors.isEmpty)
  }

  @Test func `leaves a row without a style, and names the rows`() throws {
    let desk = try desk(
      """
      view.list { id = 's', height = 3, items = rows, rowStyle = function(row)
        check(row)
        return 'error' end }
      """)
    #expect(desk.errors.isEmpty)
    try desk.run("broken.name = 'bob'")
    #expect(desk.errors == ["cannot be had (list \"s\", row 2 (\"bob\"))"])
    try desk.run("broken.all = true")
    #expect(desk.errors == ["cannot be had (list \"s\", row 1 (\"ann\") and 2 more)"])
    try desk.run("broken.all = false broken.name = ''")
    #expect(desk.errors.isEmpty)
  }

  @Test func `of a view's property names the view, and the row in which the view stands`() throws {
    let desk = try desk(
      """
      view.label { id = 'd', text = function() if broken.all then error('has none') end return 'd' end },
      view.list { rowHeight = 1, height = 3, items = rows, cell = function(row)
        return view.label { id = row.name, text = function() check(row) return row.name end } end }
      """)
    #expect(desk.errors.isEmpty)
    try desk.run("broken.name = 'bob'")
    let binding = "binding \"function -> text\""
    #expect(
      desk.errors == ["cannot be had (\(binding) of label \"bob\", row 2 (\"bob\"))"])
    try desk.run("broken.name = '' broken.all = true")
    #expect(desk.errors.contains("has none (\(binding) of label \"d\")"), "\(desk.errors)")
    try desk.run("broken.all = false")
    #expect(desk.errors.isEmpty)
  }

  @Test func `gives no children, and names the row of the tree`() throws {
    let desk = try desk(
      """
      view.tree { id = 't', height = 5, items = rows, children = function(row)
        check(row)
        return list { { name = 'child' } } end }
      """)
    #expect(desk.errors.isEmpty)
    try desk.run("broken.name = 'bob'")
    #expect(desk.errors == ["cannot be had (tree \"t\", row 2 (\"bob\"))"])
    try desk.run("rows:remove(2)")
    #expect(desk.errors.isEmpty)
  }

  @Test func `is listed for the path to the children of a tree controller's rows`() throws {
    let desk = try desk(
      """
      view.tree { id = 't', height = 5, items = controller.tree { name = "folders",
        childrenPath = "kids.all", content = list {
          object { name = "a", kids = object { all = list { object { name = "x" } } } },
          object { name = "b", kids = object { some = list {} } } } } }
      """)
    #expect(desk.errors.count == 1)
    let message = desk.errors.first ?? ""
    #expect(message.contains("has no property \"all\""), "\(message)")
    #expect(message.hasSuffix("(folders, row 2 (\"b\"))"), "\(message)")
  }

  @Test func `is listed where something else than a list is at the path`() throws {
    let desk = try desk(
      """
      view.tree { id = 't', height = 5, childrenPath = "name", items = rows }
      """)
    #expect(desk.errors.count == 1)
    #expect(
      desk.errors.first?.hasSuffix("(tree \"t\", row 1 (\"ann\") and 2 more)") == true,
      "\(desk.errors)")
  }

  @Test(arguments: ["filter", "sort"])
  func `is listed with the rows of a controller, until it is replaced`(_ option: String) throws {
    let desk = try desk("view.list { id = 'l', height = 3, items = c.arrangedObjects }")
    try desk.run(
      "broken.all = true c.\(option) = function(row) check(row) return row.name ~= '' end")
    #expect(desk.errors == ["cannot be had (\(option) of c, row 1 (\"ann\") and 2 more)"])
    try desk.run("broken.all = false broken.name = 'bob'")
    #expect(desk.errors == ["cannot be had (\(option) of c, row 2 (\"bob\"))"])
    try desk.run("c.\(option) = nil")
    #expect(desk.errors.isEmpty)
  }

  @Test func `is listed with the table whose column sorts`() throws {
    let desk = try desk(
      """
      view.table { id = 't', height = 5, items = rows, sort = 'name', columns = {
        { title = 'Name', path = 'name', sort = function(row) check(row) return row.name end } } }
      """)
    #expect(desk.errors.isEmpty)
    try desk.run("broken.name = 'cid'")
    #expect(desk.errors == ["cannot be had (sort of table \"t\", row 3 (\"cid\"))"])
  }

  @Test func `is over when the view has the function no more`() throws {
    let desk = try desk(
      """
      view.list { id = 's', height = 3, items = rows, rowStyle = function(row)
        check(row)
        return 'error' end }
      """)
    try desk.run("broken.all = true")
    #expect(desk.errors.count == 1)
    try desk.run("views.s.rowStyle = nil")
    #expect(desk.errors.isEmpty)
  }
}
