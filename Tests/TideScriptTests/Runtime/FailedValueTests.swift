import Fuzzing
import Testing
import TideBindings
import TideGraph
import TideScript
import TideViews

/// A binding that cannot give a value leaves nothing of another object, and writes nothing back.
@Suite struct `A value that cannot be had` {
  private func desk(_ views: String, setUp: String = "") throws -> ShownApp {
    try ShownApp(
      """
      rows = list { { name = "ann", owner = "a" }, { name = "bob", owner = "b" },
        { name = "cid", owner = "c" } }
      c = controller.list { name = "c", content = rows, selectionIndex = 1 }
      broken = object { name = "bob" }
      function read(s) if s == broken.name then error("cannot be read") end return s:upper() end
      transformer("read", { transform = read, reverse = string.lower })
      \(setUp)
      show(view.column { \(views) })
      """)
  }

  private static let label =
    "view.label { id = 'v', bindTo = { text = 'c.selection.name | read' } }"

  @Test func `shows nothing of the record that was selected before`() throws {
    let desk = try desk(Self.label)
    #expect(try desk.holds("views.v.text == 'ANN'"))
    try desk.run("c.selectionIndex = 2")
    #expect(try desk.holds("views.v.text == '' and not views.v.isStale"))
    #expect(try desk.holds("#errors() == 1"))
    try desk.run("c.selectionIndex = 3")
    #expect(try desk.holds("views.v.text == 'CID' and #errors() == 0"))
  }

  @Test func `shows the fallback for another record`() throws {
    let desk = try desk(
      "view.label { id = 'v', bindTo = { text = { path = 'c.selection.name | read', fallback = '?' } } }"
    )
    try desk.run("c.selectionIndex = 2")
    #expect(try desk.holds("views.v.text == '?'"))
  }

  @Test func `keeps the last good value of the same record, and says that it is stale`() throws {
    let desk = try desk(Self.label)
    try desk.run("rows[1].name = 'bob'")
    #expect(try desk.holds("views.v.text == 'ANN' and views.v.isStale"))
    try desk.run("rows[1].name = 'eve'")
    #expect(try desk.holds("views.v.text == 'EVE' and not views.v.isStale"))
  }

  @Test func `is not stale once its binding has ended`() throws {
    let desk = try desk("view.label { id = 'v' }")
    try desk.run("b = bind('selection.name -> text | read', c, views.v) rows[1].name = 'bob'")
    #expect(try desk.holds("views.v.isStale"))
    try desk.run("b:unbind()")
    #expect(try desk.holds("not views.v.isStale"))
  }

  @Test func `is followed by functions as by paths`() throws {
    let desk = try desk(
      """
      view.label { id = 'v', text = function()
        local r = c.selectedObject
        return r and read(r.name) or '' end },
      view.label { id = 'i', text = function()
        local i = c.selectionIndex
        if i == 2 then error('no second') end
        return rows[i].name end }
      """)
    try desk.run("c.selectionIndex = 2")
    #expect(try desk.holds("views.v.text == ''"))
    try desk.run("c.selectionIndex = 1")
    #expect(try desk.holds("views.v.text == 'ANN' and views.i.text == 'ann'"))
    try desk.run("broken.name = 'ann'")
    #expect(try desk.holds("views.v.text == 'ANN' and views.v.isStale"))
  }

  @Test func `is not written back by a field`() throws {
    let desk = try desk(
      "view.field { id = 'v', bindTo = { text = '<> c.selection.name | read' } }")
    try desk.run("c.selectionIndex = 2")
    #expect(
      try desk.holds("views.v.text == '' and rows[2].name == 'bob' and rows[1].name == 'ann'"))
    try desk.run("views.v.text = 'BEA'")
    #expect(try desk.holds("rows[2].name == 'bob' and rows[1].name == 'ann'"))
    #expect(try desk.holds("views.v.error ~= nil"))
  }

  @Test func `is not written back by a picker over a join`() throws {
    let desk = try desk(
      """
      view.picker { id = 'v', items = owners, bindTo = {
        selectedObject = { path = '<> c.selection.owner', transform = join } } }
      """,
      setUp: """
        owners = list { object { key = "a", name = "Anna" }, object { key = "b", name = "Bert" } }
        join = {
          transform = function(key)
            if key == "b" then error("no join") end
            for _, o in ipairs(owners) do if o.key == key then return o end end
          end,
          reverse = function(o) return o and o.key or "" end,
        }
        """)
    #expect(try desk.holds("views.v.selectedIndex == 1"))
    try desk.run("c.selectionIndex = 2")
    #expect(try desk.holds("rows[2].owner == 'b' and rows[1].owner == 'a'"))
    #expect(try desk.holds("views.v.selectedObject == nil"))
    try desk.run("c.selectionIndex = 1")
    #expect(try desk.holds("views.v.selectedIndex == 1 and rows[2].owner == 'b'"))
  }

  @Test func `leaves the choice where the rows of a list or picker cannot be had`() throws {
    let desk = try desk(
      """
      view.list { id = 'l', height = 3, bindTo = { items = { path = 'c.content', transform = few },
        selectedIndex = '<> look.index' } },
      view.picker { id = 'p', bindTo = { items = { path = 'look.rows', transform = few },
        selectedObject = '<> look.object' } }
      """,
      setUp: """
        look = model "look" { index = 2, fails = false, rows = rows,
          object = property { default = rows[2] } }
        function few(list) if look.fails then error("no rows") end return list end
        """)
    try desk.run("look.fails = true look.rows = list { rows[1] }")
    #expect(try desk.holds("look.index == 2 and look.object == rows[2]"))
    try desk.run("look.fails = false look.rows = rows")
    #expect(try desk.holds("views.p.selectedObject == rows[2]"))
  }

  @Test func `leaves nothing in cells that another row gets`() throws {
    let desk = try desk(
      """
      view.list { id = 'l', height = 1, rowHeight = 1, items = rows, cell = function()
        return view.cell { view.label { bindTo = { text = 'dataObject.name | read' } } } end }
      """)
    try desk.run("views.l:scrollTo(2)")
    #expect(!desk.scene.frame.lines.joined().contains("ANN"))
  }

  @Test func `is listed once, with the view, the row and the number of rows`() throws {
    let desk = try desk(
      """
      view.table { id = 't', height = 6, items = rows, columns = {
        { title = 'Name', path = 'name' }, { title = 'Read', path = 'owner | fails' } } }
      """, setUp: "transformer('fails', function() error('no good') end)")
    #expect(try desk.holds("#errors() == 1"))
    let message = try desk.runtime.evaluate("errors()[1].message", as: String.self)
    #expect(message.contains("label, row 1 (\"ann\") and 2 more"), "\(message)")
    #expect(message.contains("owner | fails"), "\(message)")
  }

  @Test func `leaves nothing of one record under another that holds the same`() throws {
    let desk = try desk(Self.label)
    try desk.run("rows[1].name = 'bob'")
    #expect(try desk.holds("views.v.text == 'ANN'"))
    try desk.run("c.selectionIndex = 2")
    #expect(try desk.holds("views.v.text == ''"))
  }

  /// The law: what is shown is the selected record's value, or while that cannot be had its last
  /// one, if nothing else has been shown since, or nothing; and no record is changed by it.
  @Test(arguments: [
    "view.label { id = 'v', bindTo = { text = 'c.selection.name | read' } }",
    "view.label { id = 'v', bindTo = { text = 'c.selectedObject.name | read' } }",
    "view.field { id = 'v', bindTo = { text = '<> c.selection.name | read' } }",
  ])
  func `follows the law over random selections and changes`(_ view: String) throws {
    let names = ["ann", "bob", "cid", "dee"]
    for seed in UInt64(1)...20 {
      var random = SeededGenerator(seed: seed)
      let desk = try desk(view)
      var held = ["ann", "bob", "cid"]
      var (selected, broken) = (0, "bob")
      var shown: (row: Int, text: String)?
      for step in 1...40 {
        if step > 1 {
          switch Int.random(in: 0..<3, using: &random) {
          case 0:
            selected = Int.random(in: 0..<3, using: &random)
            try desk.run("c.selectionIndex = \(selected + 1)")
          case 1:
            let row = Int.random(in: 0..<3, using: &random)
            held[row] = names.randomElement(using: &random) ?? "ann"
            try desk.run("rows[\(row + 1)].name = '\(held[row])'")
          default:
            broken = names.randomElement(using: &random) ?? "ann"
            try desk.run("broken.name = '\(broken)'")
          }
        }
        let isFailing = held[selected] == broken
        if !isFailing {
          shown = (selected, held[selected].uppercased())
        } else if shown?.row != selected {
          shown = nil
        }
        let rows = held.enumerated().map { "rows[\($0 + 1)].name == '\($1)'" }
        let condition =
          "views.v.text == '\(shown?.text ?? "")' and views.v.isStale == \(isFailing && shown != nil)"
          + " and \(rows.joined(separator: " and "))"
        try #require(try desk.holds(condition), "seed \(seed), step \(step): \(condition)")
      }
    }
  }

  @Test func `is nil where a transformer returns nothing`() throws {
    let desk = try desk("view.label { id = 'v' }")
    try desk.run(
      """
      bind('name -> text', rows[1], views.v, { null = '(none)', transform = function() end })
      """)
    #expect(try desk.holds("views.v.text == '(none)' and #errors() == 0"))
  }
}
