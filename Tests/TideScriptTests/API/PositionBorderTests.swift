import Fuzzing
import Testing
import TideBindings
import TideGraph
import TideScript
import TideViews

/// Positions count from 0 in Swift and from 1 in scripts, for the same list, controller and view.
@Suite struct `Positions at the border of Swift and scripts` {
  final class Basket: DataObject {
    @Property var fruits = ObservableList(["fig", "pear", "kiwi"])
  }

  private let runtime: Runtime
  private let basket = Basket()
  private var list: ValueList { basket.fruits.values }

  init() throws {
    runtime = try Runtime(file: "positions.lua")
    try runtime.register("basket", basket)
    try runtime.evaluate("fruits = models.basket.fruits", as: Value.self)
  }

  private func lua(_ expression: String) throws -> String {
    try runtime.evaluate("tostring((\(expression)))", as: String.self)
  }

  private func message(_ body: () throws -> Void) -> String {
    do {
      try body()
      return "no error"
    } catch let error as TideError { return error.message } catch { return "\(error)" }
  }

  @Test func `an observer of each sees the same edits, each in its own numbers`() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("seed of the positions: \(seed)")
    var generator = SeededGenerator(seed: seed)
    var seen: [ListChange] = []
    var mirror = list.values
    let observation = runtime.context.observe(list) { change in
      seen.append(change)
      try change.apply(to: &mirror)
    }
    defer { observation.cancel() }
    // The script does to a table of its own what it is told of.
    try runtime.evaluate(
      """
      told, mirror = {}, fruits:totable()
      fruits:observe(function(c)
        told[#told + 1] = c.kind .. " " .. table.concat(c.indexes, ",")
        if c.kind == "move" then
          table.insert(mirror, c.indexes[2], table.remove(mirror, c.indexes[1]))
        elseif c.kind == "removal" then
          for i = #c.indexes, 1, -1 do table.remove(mirror, c.indexes[i]) end
        else
          for i, at in ipairs(c.indexes) do
            if c.kind == "insertion" then table.insert(mirror, at, c.objects[i])
            else mirror[at] = c.objects[i] end
          end
        end
      end)
      """, as: Value.self)
    for step in 0..<400 {
      let count = list.count, at = Int.random(in: 0...max(0, count - 1), using: &generator)
      let to = Int.random(in: 0...max(0, count - 1), using: &generator)
      let isScript = Bool.random(using: &generator)
      switch Int.random(in: 0..<5, using: &generator) {
      case 0:
        if isScript {
          try runtime.evaluate("fruits:insert(\(at + 1), 's\(step)', 't')", as: Value.self)
        } else {
          try list.insert(contentsOf: [.string("s\(step)"), "t"], at: at)
        }
      case 1 where count > 2:
        if isScript {
          try runtime.evaluate("fruits:remove(\(at + 1))", as: Value.self)
        } else {
          try basket.fruits.remove(at: at)
        }
      case 2 where count > 0:
        if isScript {
          try runtime.evaluate("fruits[\(at + 1)] = 'r\(step)'", as: Value.self)
        } else {
          try list.replace(at: at, with: .string("r\(step)"))
        }
      case 3 where count > 0:
        if isScript {
          try runtime.evaluate("fruits:move(\(at + 1), \(to + 1))", as: Value.self)
        } else {
          try list.move(from: at, to: to)
        }
      default: try list.set(list.values.shuffled(using: &generator).dropLast(count > 20 ? 15 : 0))
      }
      #expect(mirror == list.values)
      #expect(try lua("table.concat(mirror, ' ')") == lua("table.concat(fruits:totable(), ' ')"))
    }
    let told = try runtime.evaluate("told", as: [String].self)
    #expect(
      told
        == seen.map { change in
          "\(change.kind) \(change.indexes.map { "\($0 + 1)" }.joined(separator: ","))"
        })
    #expect(seen.contains { $0.indexes.first == 0 })
  }

  @Test func `an element has the number that is its position and one`() throws {
    #expect(list[0] == "fig" && basket.fruits[0] == "fig" && list[3] == nil && list[-1] == nil)
    #expect(try lua("fruits[1]") == "fig" && lua("fruits[0]") == "nil")
    #expect(list.index(of: "kiwi") == 2 && basket.fruits.firstIndex(of: "kiwi") == 2)
    #expect(try lua("fruits:indexOf('kiwi')") == "3")
    let seen = DictionaryObject()
    try runtime.context.bind("fruits[3] -> last", basket, seen)
    #expect(seen[.text("last")] == "kiwi")
    #expect(try list.slice(from: 1, count: 5).values == ["pear", "kiwi"])
    #expect(try lua("fruits:slice(2, 5)[1]") == "pear")
    try runtime.evaluate("n = '' for i, v in pairs(fruits) do n = n .. i .. v end", as: Value.self)
    #expect(try lua("n") == "1fig2pear3kiwi")
    try runtime.evaluate("fruits[4] = 'plum' fruits[4] = nil", as: Value.self)
    #expect(list.count == 3)
  }

  @Test func `what is out of range is told in the numbers of who asked`() throws {
    let swift: [(String, () throws -> Void)] = [
      ("position 4 is outside a list of 3: expected 0 to 3", { try self.list.insert("x", at: 4) }),
      ("position 3 is outside a list of 3: expected 0 to 2", { try self.list.remove(at: 3) }),
      (
        "cannot remove 3 from position 1 on of a list of 3",
        { try self.list.remove(at: 1, count: 3) }
      ),
      (
        "position -1 is outside a list of 3: expected 0 to 2",
        { try self.list.replace(at: -1, with: "x") }
      ),
      (
        "a slice begins at position 0 or later, not at -1",
        { _ = try self.list.slice(from: -1, count: 1) }
      ),
    ]
    for (expected, body) in swift { #expect(message(body) == expected) }
    for (expected, code) in [
      ("position 5 is outside a list of 3: expected 1 to 4", "fruits:insert(5, 'x')"),
      ("position 4 is outside a list of 3: expected 1 to 3", "fruits:remove(4)"),
      ("cannot remove 3 from position 2 on of a list of 3", "fruits:remove(2, 3)"),
      ("position 0 is outside a list of 3: expected 1 to 3", "fruits:replace(0, 'x')"),
      ("position 9 is outside a list of 3: expected 1 to 3", "fruits:move(1, 9)"),
      ("a slice begins at position 1 or later, not at 0", "fruits:slice(0, 1)"),
    ] {
      #expect(message { try runtime.evaluate(code, as: Value.self) }.contains(expected), "\(code)")
    }
    #expect(list.count == 3)
  }

  @Test func `no number of a script's is too large or too small`() throws {
    try runtime.evaluate(
      """
      people = controller.list { content = fruits }
      tree = controller.tree { content = list { object { children = list {} } } }
      shown = view.list { items = fruits }
      rows = view.tree { items = list { object { children = list {} } } }
      local extremes = { math.mininteger, math.mininteger + 1, -1, 0, 5, math.maxinteger }
      for _, n in ipairs(extremes) do
        for _, f in ipairs {
          function() fruits:insert(n, "x") end, function() fruits:remove(n) end,
          function() assert(n ~= 0) fruits:remove(1, n) end, function() fruits:move(n, 1) end,
          function() fruits:move(1, n) end, function() fruits:replace(n, "x") end,
          function() fruits[n] = "x" end, function() people:insert("x", n) end,
          function() people:removeAt(n) end, function() tree:removeAt { n } end,
          function() tree:insert(object {}, { n, n }) end,
          function() tree:insert(object {}, { n }) end,
        } do
          assert(not pcall(f), n)
        end
        assert(fruits[n] == nil and tree:nodeAt { n } == nil and tree:nodeAt { 1, n } == nil)
        people.selectionIndex = n
        people.selectionIndexes = { n }
        people:addSelectionIndexes { n } people:removeSelectionIndexes { n }
        tree.selectionIndexPath = { n }
        shown.selectedIndex = n
        shown:scrollTo(n) rows:expand(n) rows:expand(n, true) rows:collapse(n)
      end
      """, as: Value.self)
    #expect(list.count == 3)
  }

  @Test func `a list controller's accessors count from 0, and its properties from 1`() throws {
    let people = ListController(list)
    try runtime.register("swift", people)
    people.selectionIndex = 0
    #expect(try people.value(of: "selectionIndex") == 1)
    #expect(try lua("models.swift.selectionIndex") == "1")
    people.selectionIndexes = [1, 2]
    #expect(try lua("table.concat(models.swift.selectionIndexes:totable(), ',')") == "2,3")
    try runtime.evaluate("models.swift.selectionIndexes = { 1, 3 }", as: Value.self)
    #expect(people.selectionIndexes == [0, 2] && people.selectionIndex == 0)
    try runtime.evaluate("models.swift.selectionIndex = nil", as: Value.self)
    #expect(people.selectionIndex == nil && people.selectionIndexes == [])
    people.selectionIndex = 2
    people.selectionIndex = nil
    #expect(try lua("models.swift.selectionIndex") == "nil")
    people.selectionIndex = .max
    #expect(people.selectionIndex == 2)
    try people.addSelectionIndexes([0])
    try runtime.evaluate("models.swift:removeSelectionIndexes { 3 }", as: Value.self)
    #expect(people.selectionIndexes == [0])
    try people.insert("plum", at: 0)
    try runtime.evaluate("models.swift:insert('lime', 1)", as: Value.self)
    #expect(list.values == ["lime", "plum", "fig", "pear", "kiwi"])
    try people.remove(at: [0])
    try runtime.evaluate("models.swift:removeAt(1)", as: Value.self)
    #expect(list.values == ["fig", "pear", "kiwi"])
    #expect(message { try people.insert("x", at: 4) }.hasSuffix("of 3 rows; insert at 0 to 3"))
    #expect(message { try people.remove(at: [3]) } == "there is no row 3 among 3")
    let late = message { try runtime.evaluate("models.swift:insert('x', 5)", as: Value.self) }
    #expect(late.contains("index 5 is outside of 3 rows; insert at 1 to 4"))
    let gone = message { try runtime.evaluate("models.swift:removeAt(4)", as: Value.self) }
    #expect(gone.contains("there is no row 4 among 3"))
  }

  @Test func `a tree controller's paths count from 0, and its properties from 1`() throws {
    let content = try runtime.evaluate(
      """
      local function node(name, ...) return object { name = name, children = list { ... } } end
      return list { node("a"), node("b", node("b1"), node("b2")) }
      """, as: ValueList.self)
    let tree = TreeController(content)
    try runtime.register("tree", tree)
    tree.selectionIndexPath = [1, 0]
    #expect(try lua("table.concat(models.tree.selectionIndexPath:totable(), '.')") == "2.1")
    #expect(try lua("models.tree.selectedObjects[1].name") == "b1")
    try runtime.evaluate("models.tree.selectionIndexPath = { 2, 2 }", as: Value.self)
    #expect(tree.selectionIndexPath == [1, 1] && tree.selectionIndexPaths == [[1, 1]])
    #expect(tree.selectedNodes.first?.indexPath == [1, 1])
    let node = try #require(tree.node(at: [1, 1]))
    #expect(tree.node(at: [2]) == nil && tree.node(at: [-1]) == nil)
    #expect(try lua("models.tree:nodeAt { 2, 2 }.object.name") == "b2")
    #expect(try runtime.evaluate("models.tree:nodeAt { 2, 2 }", as: Value.self) == .object(node))
    try tree.remove(at: [1, 0])
    #expect(tree.selectionIndexPath == [1, 0])
    try runtime.evaluate("models.tree:insert(object { name = 'b0' }, { 2, 1 })", as: Value.self)
    #expect(try lua("models.tree:nodeAt { 2, 1 }.object.name") == "b0")
    let missing = message { try runtime.evaluate("models.tree:removeAt { 3 }", as: Value.self) }
    #expect(missing.contains("there is no node at 3"))
    #expect(message { try tree.remove(at: [2]) } == "there is no node at 2")
    try runtime.evaluate("models.tree.selectionIndexPath = nil", as: Value.self)
    #expect(tree.selectionIndexPath == nil)
  }

  @Test func `views, cells and events count from 0, and their properties from 1`() throws {
    try runtime.evaluate(
      """
      shown = view.list { id = "rows", items = fruits, height = 3, cell = function(_, index)
        made = math.max(made or 0, index)
        return view.cell { view.label { bindTo = { text = "dataObject" } } }
      end }
      picker = view.picker { id = "picker", items = fruits }
      pages = view.tabs { id = "pages", view.label {}, view.label {} }
      on(shown, "didSelect", function(_, e) selected = e.index end)
      on(shown, "move", function(_, e) moved = e.index .. " to " .. e.target end)
      on(picker, "valueChanged", function(_, e) chosen = e.index end)
      on(pages, "valueChanged", function(_, e) page = e.value end)
      show(view.column { shown, picker, pages })
      """, as: Value.self)
    let scene = try #require(runtime.scene)
    scene.resize(Size(width: 20, height: 12))
    let rows = try #require(scene.root?.find("rows") as? RowsView)
    let picker = try #require(scene.root?.find("picker") as? ChoosingView)
    let tabs = try #require(scene.root?.find("pages") as? TabsView)
    var events: [String: Event] = [:]
    for (view, name) in [
      (rows as View, EventName("didSelect")), (rows, "move"), (picker, "valueChanged"),
      (tabs, "valueChanged"),
    ] {
      try view.on(name) { view, event in
        events["\(view.viewClass.name) \(event.name.text)"] = event
      }
    }
    try scene.commit()
    #expect(rows[.selectedIndex] == nil)
    rows[.selectedIndex] = 1
    #expect(try lua("shown.selectedIndex") == "2" && lua("shown.selectedObject") == "pear")
    #expect(try rows.value(of: "selectedIndex") == 2)
    try runtime.evaluate("shown.selectedIndex = 3", as: Value.self)
    #expect(rows[.selectedIndex] == 2 && rows[.selectedObject] == "kiwi")
    try scene.commit()
    #expect(try lua("made") == "3")
    #expect(rows.subviews.compactMap { $0[.index] } == [0, 1, 2])
    #expect(try rows.subviews.map { try $0.value(of: "index") } == [1, 2, 3])

    try scene.choose(0, of: rows)
    try scene.choose(1, of: picker)
    try scene.choose(1, of: tabs)
    scene.focus(rows)
    for key in try Key.sequence("Alt-Down") { scene.send(.key(key)) }
    runtime.settle()
    #expect(events["list didSelect"]?.index == 0)
    #expect(try lua("selected") == "1")
    #expect(events["list move"]?.index == 0 && events["list move"]?.target == 1)
    #expect(try lua("moved") == "1 to 2")
    #expect(events["picker valueChanged"]?.index == 1 && picker[.selectedIndex] == 1)
    #expect(try lua("chosen") == "2" && lua("picker.selectedIndex") == "2")
    #expect(tabs.selected == 1 && tabs[.selectedTab] == 1)
    #expect(try lua("page") == "2" && lua("pages.selected") == "2")
    tabs.selected = 0
    #expect(try lua("pages.selected") == "1")
    try runtime.evaluate("pages.selected = 2", as: Value.self)
    #expect(tabs.selected == 1)
    let none = message { try scene.choose(3, of: rows) }
    #expect(none == "the list \"rows\" has no number 4: there are 1 to 3")
    rows[.selectedIndex] = nil
    #expect(try lua("shown.selectedIndex") == "nil")
  }
}
