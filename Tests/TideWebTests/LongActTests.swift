import TestFolders
import Testing
import TideBindings
import TideLua
import TideScript
import TideStore
import TideViews

@testable import TideWeb

/// Acts that go on after a wait, or are stopped.
@Suite struct LongActTests {
  private static let app = """
    desk = model "desk" { done = "", from = 100, rows = list {
      object { name = "ann" }, object { name = "bob" }, object { name = "cid" } } }
    chosen = controller.list { name = "chosen", content = desk.rows }
    local function note(name) desk.done = desk.done .. name .. " " end
    local function read() note(chosen.selectedObject.name) end
    local function button(title, fn)
      return view.button { title = title, on = { touchUpInside = fn } }
    end
    show(view.column {
      view.list { height = 5, bindTo = {
        items = "chosen.arrangedObjects", selectedIndex = "<> chosen.selectionIndex" } },
      button("sleep", function() sleep(1) note "late" read() end),
      button("writes", function() note "early" sleep(1) note "late" read() end),
      button("spawn", function() spawn(function() sleep(1) note "late" read() end) end),
      button("after", function() after(1, function() note "late" read() end) end),
      button("nested", function()
        spawn(function() sleep(0.5) after(0.5, function() note "late" read() end) end) end),
      button("caught", function()
        sleep(1)
        pcall(read)
        sleep(1)
        note "late"
      end),
      button("leaves", function()
        after(1, function() note "timer" end)
        every(1, function() note "beat" end)
        spawn(function() sleep(1) note "task" end)
        read()
      end),
      button("selects", function()
        chosen.selectionIndex = 3
        sleep(1)
        read()
        chosen:remove()
        sleep(1)
        note(chosen.selectedObject and chosen.selectedObject.name or "none")
      end),
      button("other", function() sleep(1) note "other" end),
      button("every", function() local beat beat = every(1, function() read() beat:cancel() end) end),
      button("loop", function() desk.from = 0 while true do end end),
      button("checked", function()
        desk.from = 50
        checkpoint()
        desk.from = 0
        while true do end
      end),
    })
    """

  private let stage: LawStage
  private let ann, bob: LawPage

  init() throws {
    stage = try LawStage(Self.app)
    (ann, bob) = (try stage.open(as: "ann"), try stage.open(as: "bob"))
    try stage.settle()
  }

  private func read(_ expression: String) throws -> String {
    try stage.runtime.evaluate("return tostring(\(expression))", as: String.self)
  }

  private func press(_ title: String) throws {
    ann.act("press", try ann.mirror.node("button", title))
    try stage.settle()
  }

  private func select(_ row: Int, _ page: LawPage, isSeen: Bool = true) throws {
    let list = try page.mirror.node("list")
    let cell = try #require(page.mirror.row(row, of: list))
    page.act("select", list, ",\(row),\"\",\(cell)")
    if isSeen { return try stage.settle() }
    try page.line?.deliver()
    try stage.turn()
  }

  private func pass(_ seconds: Double) throws {
    stage.runtime.loop.advance(by: seconds)
    try stage.settle()
  }

  @Test(arguments: ["sleep", "spawn", "after", "nested"])
  func `what a press does later is not done to what another has selected meanwhile`(
    title: String
  ) throws {
    defer { stage.close() }
    try press(title)
    try select(1, bob)
    try pass(1.1)
    #expect(try read("desk.done") == "")
    #expect(ann.notices == ["\(SelectionNotice.undone.rawValue) bob"])
    #expect(bob.notices.isEmpty)
    #expect(stage.runtime.errors.isEmpty)
    // Now she has seen that.
    try press(title)
    try pass(1.1)
    #expect(try read("desk.done") == "late bob ")
    #expect(ann.notices.count == 1)
  }

  @Test func `what was written before the wait stays, and the page does not deny it`() throws {
    defer { stage.close() }
    try press("writes")
    try select(1, bob)
    try pass(1.1)
    #expect(try read("desk.done") == "early ")
    #expect(ann.notices == ["\(SelectionNotice.later.rawValue) bob"])
  }

  @Test func `an act that was stopped does not go on by catching that`() throws {
    defer { stage.close() }
    try press("caught")
    try select(1, bob)
    try pass(1.1)
    try pass(1.1)
    #expect(try read("desk.done") == "")
    #expect(ann.notices == ["\(SelectionNotice.undone.rawValue) bob"])
  }

  @Test func `timers and tasks of an act that was stopped end with it`() throws {
    defer { stage.close() }
    try select(1, bob, isSeen: false)
    try press("leaves")
    try pass(2.1)
    #expect(try read("desk.done") == "")
    #expect(ann.notices == ["\(SelectionNotice.undone.rawValue) bob"])
    try press("leaves")
    try pass(1.1)
    #expect(try read("desk.done:find('bob ') ~= nil and desk.done:find('timer') ~= nil") == "true")
  }

  @Test func `what its person or the handler has selected meanwhile is no other's`() throws {
    defer { stage.close() }
    try press("sleep")
    try select(2, ann)
    try pass(1.1)
    #expect(try read("desk.done") == "late cid ")
    try select(0, ann)
    try press("selects")
    try pass(1.1)
    try pass(1.1)
    #expect(try read("desk.done:sub(1, 13)") == "late cid cid ")
    #expect(try read("#desk.rows") == "2")
    #expect(ann.notices.isEmpty)
    #expect(stage.runtime.errors.isEmpty)
  }

  @Test(arguments: ["other", "every"])
  func `what asks for no selection, or beats by itself, goes on`(title: String) throws {
    defer { stage.close() }
    try press(title)
    try select(1, bob)
    try pass(1.1)
    #expect(try read("desk.done") == (title == "other" ? "other " : "bob "))
    #expect(ann.notices.isEmpty)
  }

  @Test(arguments: [false, true])
  func `a handler that its budget stops is taken back, whatever its person has seen`(
    isOld: Bool
  ) throws {
    defer { stage.close() }
    if isOld { try select(1, bob, isSeen: false) }
    func stopped(_ title: String) throws -> String {
      stage.runtime.lua.setTurnLimit(.milliseconds(200))
      defer { stage.runtime.lua.setTurnLimit(.seconds(60)) }
      try press(title)
      return try read("desk.from")
    }
    #expect(try stopped("loop") == "100")
    if isOld { try select(2, bob, isSeen: false) }
    #expect(try stopped("checked") == "50")
    #expect(stage.runtime.errors.allSatisfy { $0.code == .scriptTime })
  }

  @Test func `what cannot be taken back is named`() throws {
    stage.close()
    let folder = try ScratchFolder()
    let stage = try LawStage(
      """
      db = store.open("\(folder.path)/paid.db")
      db:migrate { "CREATE TABLE paid (who TEXT)" }
      desk = model "desk" { rows = list { object { name = "ann" }, object { name = "bob" } } }
      chosen = controller.list { name = "chosen", content = desk.rows }
      show(view.column {
        view.list { height = 5, bindTo = {
          items = "chosen.arrangedObjects", selectedIndex = "<> chosen.selectionIndex" } },
        view.button { title = "pay", on = { touchUpInside = function()
          db:transaction(function() db:run "INSERT INTO paid VALUES ('x')" end)
          return chosen.selectedObject.name
        end } },
      })
      """
    ) {
      $0.addStores()
      $0.lua.access.store = [folder.path]
    }
    defer { stage.close() }
    let ann = try stage.open()
    try stage.settle()
    _ = try stage.runtime.evaluate("chosen.selectionIndex = 2", as: Value.self)
    try stage.turn()
    ann.act("press", try ann.mirror.node("button"))
    try stage.settle()
    #expect(ann.notices.count == 1)
    let notice = try #require(ann.notices.first)
    #expect(notice.hasPrefix("\(SelectionNotice.later.rawValue) bob"))
    #expect(notice.contains("\(SelectionNotice.lasting.rawValue) db:transaction "))
  }

  @Test func `the viewer of what a press has set going is its person`() throws {
    stage.close()
    let stage = try LawStage(
      """
      seen, box = {}, object { from = 0, to = 0 }
      local function say(what) seen[#seen + 1] = what .. " " .. viewer.name end
      every(1, function() say "own" end)
      observe(box, "to", function() say "bound" end)
      bind("from -> to", box, box, { delay = 1 })
      show(view.column {
        view.button { title = "go", on = { touchUpInside = function()
          after(1, function() say "after" end)
          spawn(function() sleep(0.5) after(0.5, function() say "nested" end) end)
          box.from = box.from + 1
        end } },
        view.button { title = "other", on = { touchUpInside = function() say "now" end } },
      })
      """)
    defer { stage.close() }
    let (ann, bob) = (try stage.open(as: "ann"), try stage.open(as: "bob"))
    try stage.settle()
    ann.act("press", try ann.mirror.node("button", "go"))
    try stage.settle()
    bob.act("press", try bob.mirror.node("button", "other"))
    try stage.settle()
    stage.runtime.loop.advance(by: 1.2)
    try stage.settle()
    let seen = try stage.runtime.evaluate(
      "table.sort(seen) return table.concat(seen, ', ')", as: String.self)
    #expect(seen == "after ann, bound ann, nested ann, now bob, own ")
    #expect(stage.runtime.viewer.name == "bob")
  }
}
