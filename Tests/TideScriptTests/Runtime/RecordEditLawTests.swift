import Fuzzing
import Testing
import TideBindings
import TideGraph
import TideScript

@testable import TideViews

/// The law: each character and each press is in the record that was on the screen under it when the
/// editing began, or in a notice; it is nowhere else.
///
/// The reference model knows one thing: which view is edited, and which record that began with.
///
///     an act at a view   of the edit's view: for the edit's record, or a notice where it is gone
///                        of another view: begins an edit of the record that the view shows
///     the focus leaves, something else is selected, a commit: there is no edit
@Suite struct `The law of edited records` {
  /// Every character is typed once, so that it can be found.
  private struct Model {
    var view: View?
    var record: Int?
    /// The edit's record is gone.
    var isLost = false
    /// The record of each character, and whether that was gone.
    var characters: [(character: Character, record: Int?, isLost: Bool)] = []
    var ranks: [Int: Int] = [:]
    var switches: [Int: Bool] = [:]

    mutating func target(_ view: View, shows record: Int?) -> Int? {
      if view !== self.view || self.record == nil && !isLost {
        (self.view, self.record, isLost) = (view, record, false)
      }
      return self.record
    }

    mutating func end() { (view, record, isLost) = (nil, nil, false) }
  }

  private static let rows = """
    all, rows = {}, list {}
    function make(id)
      local row = object { id = id, name = ("n"):rep(id % 3 + 1), rank = id, done = false, key = id % 4 }
      all[id] = row
      return row
    end
    for id = 1, 7 do rows:append(make(id)) end
    look = model "look" { which = 0 }
    function passes(r)
      if look.which == 1 then return utf8.len(r.name) % 2 == 0 end
      if look.which == 2 then return not r.done end
      if look.which == 3 then return r.rank % 2 == 1 end
      return true
    end
    orders = { "name", "-rank", function(r) return r.done and 1 or 0 end, "-name" }
    """

  private static let details = """
    view.field { id = "name", bindTo = { text = "<> AT.name" } },
    view.textArea { id = "area", height = 2, bindTo = { text = "<> AT.name" } },
    view.stepper { id = "rank", maximum = 1000, bindTo = { value = "<> AT.rank" } },
    view.toggle { id = "done", bindTo = { isOn = "<> AT.done" } },
    """

  private static let cell = """
    cell = function() return view.cell {
      view.field { width = 8, bindTo = { text = "<> dataObject.name" } },
      view.stepper { width = 9, maximum = 1000, bindTo = { value = "<> dataObject.rank" } },
      view.checkbox { bindTo = { isOn = "<> dataObject.done" } },
    } end
    """

  /// A controller's rows with details, the same with cells, and derived rows.
  private static let worlds = [
    """
    c = controller.list { name = "c", content = rows, filter = passes, sort = orders[1] }
    show(view.column {
      view.list { id = "l", height = 6, bindTo = {
        items = "c.arrangedObjects", selectedIndex = "<> c.selectionIndex" } },
      \(details.replacing("AT", with: "c.selection"))
    })
    function shown() local r = c.selectedObject return r and r.id or 0 end
    function select(i) c.selectionIndex = i end
    """,
    """
    c = controller.list { name = "c", content = rows, filter = passes, sort = orders[2] }
    show(view.column {
      view.list { id = "l", height = 9, bindTo = {
        items = "c.arrangedObjects", selectedIndex = "<> c.selectionIndex" }, \(cell) },
      \(details.replacing("AT", with: "c.selectedObject"))
    })
    function shown() local r = c.selectedObject return r and r.id or 0 end
    function select(i) c.selectionIndex = i end
    """,
    """
    state = model "state" { current = property { nullable = true } }
    c = {}
    show(view.column {
      view.list { id = "l", height = 9, bindTo = { selectedObject = "<> state.current" },
        items = rows:filter(passes):sorted(function(r) return r.name end), \(cell) },
      \(details.replacing("AT", with: "state.current"))
    })
    views.l.selectedIndex = 1
    function shown() return state.current and state.current.id or 0 end
    function select(i) views.l.selectedIndex = i end
    """,
  ]

  private final class World {
    let runtime: Runtime
    let scene: Scene
    let isControlled: Bool
    /// Whether the person acts on views as a whole, as in a page.
    let isPage: Bool
    var model = Model()
    private var typed: UInt32 = 0x4E00

    init(_ index: Int, isPage: Bool) throws {
      self.isPage = isPage
      runtime = try Runtime(file: "test.lua", configuration: Runtime.Configuration())
      isControlled = index < 2
      try runtime.evaluate(
        `The law of edited records`.rows + "\n" + `The law of edited records`.worlds[index],
        as: Value.self)
      scene = try #require(runtime.scene)
      try scene.mount(TextRenderer(size: Size(width: 40, height: 20)))
      for id in 1...7 { (model.ranks[id], model.switches[id]) = (id, false) }
      try draw()
    }

    func draw() throws {
      runtime.settle()
      try scene.commit()
      // An edit is over when its view has lost the focus.
      if model.view !== scene.focused { model.end() }
      if let id = model.record, try !isThere(id) { (model.record, model.isLost) = (nil, true) }
    }

    func run(_ script: String) throws {
      try runtime.evaluate(script, as: Value.self)
      try draw()
    }

    private func isThere(_ id: Int) throws -> Bool {
      try runtime.evaluate("rows:indexOf(all[\(id)]) ~= nil", as: Bool.self)
    }

    /// The record that a view shows.
    private func shown(_ view: View) throws -> Int? {
      if let cell = view.rowCell {
        guard case .object(let row as DataObject) = cell.shownObject,
          case .integer(let id) = row["id"]
        else { return nil }
        return id
      }
      let id = try runtime.evaluate("shown()", as: Int.self)
      return id == 0 ? nil : id
    }

    // MARK: A person

    func act() throws {
      guard let view = scene.focused else { return try press("Tab") }
      switch view {
      case let field as TextInputView:
        typed += 1
        let character = Character(Unicode.Scalar(typed) ?? "?")
        let target = model.target(view, shows: try shown(view))
        model.characters.append((character, target, model.isLost))
        if isPage {
          let text = field.text + String(character)
          scene.perform(.edit(text: text, selection: text.count..<text.count), on: field)
        } else {
          scene.send(.key(Key(character)))
        }
      case let stepper as StepperView:
        if let id = model.target(view, shows: try shown(view)) { model.ranks[id, default: 0] += 1 }
        if isPage {
          scene.perform(.setValue(stepper.value + 1), on: stepper)
        } else {
          try scene.send(keys: "Up")
        }
      case is ToggleView:
        if let id = model.target(view, shows: try shown(view)) {
          model.switches[id] = model.switches[id] == false
        }
        if isPage { scene.perform(.press, on: view) } else { try scene.send(keys: "Space") }
      default: try scene.send(keys: "Down")
      }
      try draw()
    }

    func press(_ key: String) throws {
      try scene.send(keys: key)
      try draw()
    }

    func click(_ x: Int, _ y: Int) throws {
      // Not on a control, which would be an act.
      let view = scene.view(at: Point(x: x, y: y))
      if view is ToggleView || view is StepperView { return }
      for kind in [MouseEvent.Kind.press(.left), .release(.left)] {
        scene.send(.mouse(MouseEvent(kind, at: Point(x: x, y: y))))
      }
      // Whoever clicks into a view again may go on where the record was gone.
      if view === model.view, model.isLost { model.end() }
      try draw()
    }

    // MARK: The law

    func check(_ where: String) throws {
      var names: [Int: String] = [:]
      let count = try runtime.evaluate("#all", as: Int.self)
      for id in 1...count {
        names[id] = try runtime.evaluate("all[\(id)].name", as: String.self)
        let rank = try runtime.evaluate("all[\(id)].rank", as: Int.self)
        let isDone = try runtime.evaluate("all[\(id)].done", as: Bool.self)
        #expect(rank == model.ranks[id], "rank of \(id), \(`where`)")
        #expect(isDone == model.switches[id], "switch of \(id), \(`where`)")
      }
      let notices = runtime.errorsOfEdits.map(\.message).joined()
      for (character, record, isLost) in model.characters {
        let found = names.filter { $0.value.contains(character) }.map(\.key).sorted()
        #expect(found == (record.map { [$0] } ?? []), "\(character), \(`where`)")
        if isLost { #expect(notices.contains(character), "\(character), \(`where`)") }
      }
    }
  }

  /// What another person or the program does.
  private static func write(_ world: World, _ next: inout Int, _ random: inout SeededGenerator)
    throws
  {
    let row = Int.random(in: 1...next, using: &random)
    switch Int.random(in: 0..<8, using: &random) {
    case 0: try world.run("all[\(row)].name = 'w' .. all[\(row)].name")
    case 1: try world.run("look.which = \(Int.random(in: 0...3, using: &random))")
    case 2 where world.isControlled:
      try world.run("c.sort = orders[\(Int.random(in: 1...4, using: &random))]")
    case 3: try world.run("rows:removeObject(all[\(row)])")
    case 4:
      next += 1
      world.model.ranks[next] = next
      world.model.switches[next] = false
      try world.run("rows:insert(1, make(\(next)))")
    case 5: try world.run("if #rows > 1 then rows:move(1, #rows) end")
    case 6:
      try world.run(
        "local t = {} for _, r in ipairs(rows) do table.insert(t, 1, r) end rows:set(t)")
    default: try world.run("batch(function() all[\(row)].key = all[\(row)].key + 1 end)")
    }
  }

  @Test(arguments: [0, 1, 2])
  func `holds for random people and programs`(_ index: Int) throws {
    for seed in UInt64(1)...25 {
      var random = SeededGenerator(seed: seed)
      let world = try World(index, isPage: seed % 2 == 0)
      var next = 7
      for step in 0..<60 {
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<9: try world.act()
        case 9, 10: try world.press(Bool.random(using: &random) ? "Tab" : "Shift-Tab")
        case 11:
          try world.click(
            Int.random(in: 0..<30, using: &random), Int.random(in: 0..<14, using: &random))
        case 12:
          let before = try world.runtime.evaluate("shown()", as: Int.self)
          try world.run("select(\(Int.random(in: 1...4, using: &random)))")
          let isOther = try world.runtime.evaluate("shown()", as: Int.self) != before
          if isOther, !world.model.isLost { world.model.end() }
        case 13 where world.isControlled:
          try world.run("c:commitEditing()")
          if !world.model.isLost { world.model.end() }
        default: try Self.write(world, &next, &random)
        }
        try world.check("world \(index), seed \(seed), step \(step)")
      }
    }
  }
}
