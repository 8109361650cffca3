import Testing
import TideBindings
import TideScript

@testable import TideViews

/// Handlers that wait, and those who press again meanwhile.
@Suite struct HandledActTests {
  /// An app on a clock that is moved by hand.
  private final class App {
    let runtime: Runtime
    let scene: Scene

    init(_ script: String) throws {
      var configuration = Runtime.Configuration()
      configuration.clock = VirtualClock()
      runtime = try Runtime(file: "test.lua", configuration: configuration)
      try runtime.evaluate(script, as: Value.self)
      scene = try #require(runtime.scene)
      try scene.mount(TextRenderer(size: Size(width: 40, height: 12)))
      try settle()
    }

    func settle() throws {
      runtime.settle()
      try scene.commit()
      runtime.settle()
    }

    func tap(_ id: String) throws {
      let view = try #require(runtime.view(withID: id))
      try scene.tap(view)
      try settle()
    }

    func press(_ keys: String) throws {
      try scene.send(keys: keys)
      try settle()
    }

    func wait(_ seconds: Double) throws {
      runtime.loop.advance(by: seconds)
      try settle()
    }

    func holds(_ condition: String) throws -> Bool {
      try runtime.evaluate("return \(condition)", as: Bool.self)
    }
  }

  private static let script = """
    runs, done = 0, 0
    local function work()
      runs = runs + 1
      sleep(1)
      done = done + 1
    end
    command = object { runs = 0, execute = function(self)
      self.runs = self.runs + 1
      sleep(1)
    end }
    show(view.column { keys = { ["Ctrl-S"] = work },
      view.button { id = "save", title = "Save", on = { touchUpInside = work } },
      view.button { id = "twice", title = "Twice", concurrent = true,
        on = { touchUpInside = work } },
      view.button { id = "command", title = "Command", on = { touchUpInside = command } },
      view.button { id = "fails", title = "Fails", on = { touchUpInside = function()
        sleep(1)
        error("no such thing")
      end } },
    })
    """

  @Test func `a button whose handler waits is busy, and is not pressed again`() throws {
    let app = try App(Self.script)
    try app.tap("save")
    #expect(try app.holds("views.save.busy and runs == 1"))
    try app.tap("save")
    try app.press("Enter Space")
    // A prompt, or another handler, sends the event in a person's place.
    try app.runtime.evaluate("views.save:send('touchUpInside')", as: Value.self)
    #expect(try app.holds("runs == 1"))
    try app.wait(1)
    #expect(try app.holds("not views.save.busy and done == 1"))
    try app.tap("save")
    #expect(try app.holds("runs == 2"))
  }

  @Test func `a view that says so runs its handler again at once`() throws {
    let app = try App(Self.script)
    try app.tap("twice")
    try app.tap("twice")
    #expect(try app.holds("runs == 2 and views.twice.busy"))
    try app.wait(1)
    #expect(try app.holds("done == 2 and not views.twice.busy"))
  }

  @Test func `a key and a command wait for their end as well`() throws {
    let app = try App(Self.script)
    try app.press("Ctrl-S Ctrl-S")
    #expect(try app.holds("runs == 1"))
    try app.tap("command")
    try app.tap("command")
    #expect(try app.holds("command.runs == 1 and views.command.busy"))
    try app.wait(1)
    try app.press("Ctrl-S")
    try app.tap("command")
    #expect(try app.holds("runs == 2 and command.runs == 2"))
  }

  @Test func `a handler that fails after its wait leaves the button free`() throws {
    let app = try App(Self.script)
    try app.tap("fails")
    #expect(try app.holds("views.fails.busy"))
    try app.wait(1)
    #expect(try app.holds("not views.fails.busy"))
    #expect(app.runtime.errors.count == 1)
  }

  @Test func `each row has a button of its own`() throws {
    let app = try App(
      """
      went = {}
      rows = list {}
      for _, name in ipairs { "a", "b" } do rows:append(object { name = name }) end
      show(view.list { items = rows, height = 4, cell = function()
        return view.cell { view.button { title = "Go", on = { touchUpInside = function(sender)
          went[#went + 1] = sender.dataObject.name
          sleep(1)
        end } } }
      end })
      """)
    let buttons = TreeWalk(app.scene.window).compactMap { $0 as? ButtonView }
    try #require(buttons.count >= 2)
    for index in [0, 1, 0] {
      try app.scene.tap(buttons[index])
      try app.settle()
    }
    #expect(try app.holds("table.concat(went) == 'ab'"))
  }

  @Test func `what tells how something is runs each time`() throws {
    let app = try App(
      """
      heard = ""
      show(view.field { id = "name", on = { editingChanged = function(sender)
        heard = heard .. "<" .. sender.text .. ">"
        sleep(1)
      end } })
      """)
    let field = try #require(app.runtime.view(withID: "name"))
    app.scene.focus(field)
    try app.press("a b")
    #expect(try app.holds("heard == '<a><ab>'"))
  }

  @Test func `whether handlers may run twice is true or false`() throws {
    let runtime = try Runtime(file: "test.lua", configuration: Runtime.Configuration())
    #expect(throws: (any Error).self) {
      try runtime.evaluate("view.button { concurrent = 'often' }", as: Value.self)
    }
    #expect(throws: (any Error).self) {
      try runtime.evaluate("view.button { busy = true }", as: Value.self)
    }
  }
}
