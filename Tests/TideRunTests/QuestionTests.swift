import Testing
import TideBindings
import TideGraph
import TideLua
import TideRun
import TideViews

@testable import TideScript

/// Questions that tasks wait for, from the script to the keys that answer them.
@Suite struct `Questions to a person` {
  private final class Lines {
    var lines: [String] = []
  }

  private let printed = Lines()
  private let renderer = TextRenderer()

  private func runtime() throws -> Runtime {
    var configuration = Runtime.Configuration()
    configuration.print = { [printed] in printed.lines.append($0) }
    configuration.clock = VirtualClock()
    return try Runtime(file: "app.lua", configuration: configuration)
  }

  /// A loop that shows what a script has begun with.
  private func loop(_ script: String) throws -> AppLoop {
    let runtime = try runtime()
    try runtime.evaluate(script, as: Value.self)
    let loop = AppLoop(runtime, renderer)
    try loop.catchUp()
    return loop
  }

  private func press(_ keys: String, _ loop: AppLoop) throws {
    for key in try Key.sequence(keys) { try loop.send(.key(key)) }
  }

  private func run(_ script: String) throws -> Int32 {
    let runtime = try runtime()
    try runtime.evaluate(script, as: Value.self)
    return try runtime.runUntilExit()
  }

  @Test(arguments: [("line\\n", 40), ("word ", 300)])
  func `a text longer than the screen scrolls, and its buttons stay in sight`(
    _ part: String, _ count: Int
  ) throws {
    let runtime = try runtime()
    try runtime.evaluate(
      "spawn(function() print(ask { text = ('\(part)'):rep(\(count)), buttons = { 'Yes', 'No' } }) end)",
      as: Value.self)
    let small = TextRenderer(size: Size(width: 40, height: 12))
    let loop = AppLoop(runtime, small)
    try loop.catchUp()
    #expect(small.text.contains("Yes") && small.text.contains("No"), "\(small.text)")
    try press("Enter", loop)
    #expect(printed.lines == ["Yes"])
  }

  // MARK: Answers

  @Test(arguments: [
    ("Enter", "Discard"), ("Left Enter", "Save"), ("Tab Space", "Cancel"),
    ("Tab Tab Enter", "Save"),
    ("Escape", "nil"),
  ])
  func `a button answers by its title`(_ keys: String, _ answer: String) throws {
    let loop = try loop(
      """
      show(view.column { view.button { id = "own", title = "own" } })
      views.own:focus()
      spawn(function()
        print(ask { title = "App", text = "Save it?", buttons = { "Save", "Discard", "Cancel" },
          default = "Discard" })
      end)
      """)
    #expect(renderer.text.contains("Save it?") && renderer.text.contains("App"))
    try press(keys, loop)
    #expect(printed.lines == [answer])
    #expect(!renderer.text.contains("Save it?"))
    #expect(loop.runtime.scene?.focused === loop.runtime.view(withID: "own"))
    #expect(loop.runtime.scene?.brokenInvariants() == [])
  }

  @Test func `a click answers`() throws {
    let loop = try loop(
      """
      show(view.label { text = "below" })
      spawn(function() print(ask { text = "Really?", buttons = { "Yes", "No" } }) end)
      """)
    let no = try #require(loop.runtime.reachableView(withID: "No"))
    try loop.runtime.scene?.tap(no)
    try loop.catchUp()
    #expect(printed.lines == ["No"])
  }

  @Test func `a text is typed, and Cancel gives none`() throws {
    let loop = try loop(
      """
      show(view.label { text = "below" })
      spawn(function()
        print(ask.text { text = "Name?", value = "Ad" })
        print(ask.text { text = "Password?", secure = true, placeholder = "none" })
        print(ask.text { text = "Again?" })
      end)
      """)
    try press("a Enter", loop)
    #expect(printed.lines == ["Ada\tOK"])
    #expect(renderer.text.contains("Password?") && renderer.text.contains("none"))
    try press("s", loop)
    #expect(!renderer.text.contains("s]") && renderer.text.contains("•"))
    try press("Enter", loop)
    #expect(printed.lines.last == "s\tOK")
    try press("x Tab Tab Enter", loop)
    #expect(printed.lines.last == "nil")
  }

  @Test func `an item is chosen by arrows and letters, and comes back as it was given`() throws {
    let loop = try loop(
      """
      show(view.label { text = "below" })
      local fruits = { { name = "apple", id = 7 }, { name = "fig", id = 8 }, { name = "pear", id = 9 } }
      local live = list { "one", "two" }
      spawn(function()
        local item, index, button = ask.choice { text = "Which?", items = fruits }
        print(item.id, index, button, item == fruits[2])
        print(ask.choice { items = fruits, selectedIndex = 3 })
        live:append("three")
        print(ask.choice { items = live })
      end)
      """)
    #expect(renderer.text.contains("pear"))
    try press("Down Enter", loop)
    #expect(printed.lines == ["8\t2\tOK\ttrue"])
    try press("Escape", loop)
    #expect(printed.lines.last == "nil")
    try press("t t Enter", loop)
    #expect(printed.lines.last == "three\t3\tOK")
  }

  // MARK: Several, and what is shown

  @Test func `questions stack, and the latest is answered first`() throws {
    let loop = try loop(
      """
      show(view.label { text = "below" })
      spawn(function() print("a", ask { text = "first" }) end)
      spawn(function() print("b", ask { text = "second" }) end)
      """)
    try press("Enter", loop)
    #expect(printed.lines == ["b\tOK"])
    try press("Escape", loop)
    #expect(printed.lines == ["b\tOK", "a\tnil"])
    #expect(loop.runtime.scene?.presented.isEmpty == true)
  }

  @Test func `a question outlives what is shown below it`() throws {
    let loop = try loop(
      """
      show(view.window { title = "one", view.label { text = "one" } })
      spawn(function() print(ask { text = "still?" }) end)
      show(view.window { title = "two", view.label { text = "two" } })
      """)
    #expect(renderer.text.contains("still?"))
    let dialog = try #require(loop.runtime.scene?.presented.first)
    #expect(dialog[ViewKey<Value>("window")] == .object(try #require(loop.runtime.scene?.window)))
    try press("Enter", loop)
    #expect(printed.lines == ["OK"])
    #expect(loop.runtime.scene?.brokenInvariants() == [])
  }

  @Test func `an app that shows nothing asks all the same`() throws {
    let loop = try loop(
      "spawn(function() print(ask.text { text = 'Name?' }) show(view.label { text = 'after' }) end)"
    )
    #expect(renderer.text.contains("Name?"))
    try press("x Enter", loop)
    #expect(printed.lines == ["x\tOK"])
    #expect(renderer.text.contains("after"))
  }

  // MARK: The focus afterwards, and clicks

  @Test(arguments: [
    ("", "b"), ("views.b.enabled = false", "c"), ("views.b.hidden = true", "c"),
    ("views.b.enabled = false views.c.enabled = false", "d"),
    ("views.b:remove()", "c"),
    ("for _, id in ipairs { 'b', 'c', 'd' } do views[id].enabled = false end", "a"),
  ])
  func `the focus returns to the view that had it, or the next that can have it`(
    _ change: String, _ focused: String
  ) throws {
    let loop = try loop(
      """
      show(view.row { id = "row", view.field { id = "a" },
        view.button { id = "b", title = "b", on = { touchUpInside = function()
          print(ask { text = "Really?" })
        end } }, view.button { id = "c", title = "c" }, view.button { id = "d", title = "d" } })
      views.b:focus()
      """)
    try press("Enter", loop)
    #expect(renderer.text.contains("Really?"))
    try loop.runtime.evaluate(change, as: Value.self)
    try loop.catchUp()
    try press("Enter", loop)
    #expect(printed.lines == ["OK"])
    #expect(loop.runtime.scene?.focused === loop.runtime.view(withID: focused))
    #expect(loop.runtime.scene?.brokenInvariants() == [])
  }

  @Test func `a click in a dialog is no click at the views around it`() throws {
    let loop = try loop(
      """
      count = 0
      local function click() count = count + 1 end
      show(view.column { id = "around", on = { click = click, doubleClick = click },
        view.label { id = "below", text = "below" },
        view.dialog { id = "own", modal = true, view.label { id = "text", text = "text" },
          on = { click = function() inside = true return false end } } })
      """)
    let scene = try #require(loop.runtime.scene)
    for _ in 0..<2 { try scene.tap(try #require(loop.runtime.view(withID: "text"))) }
    try loop.catchUp()
    #expect(try loop.runtime.evaluate("return count", as: Int.self) == 0)
    #expect(try loop.runtime.evaluate("return inside", as: Bool.self))
    try loop.runtime.evaluate("views.own.hidden = true", as: Value.self)
    try loop.catchUp()
    try scene.tap(try #require(loop.runtime.view(withID: "below")))
    #expect(try loop.runtime.evaluate("return count", as: Int.self) == 1)
  }

  // MARK: Nobody answers

  @Test func `a question goes with its task and its context`() throws {
    let loop = try loop(
      """
      show(view.label { text = "below" })
      context("c", function() spawn(function() print(ask { text = "mine" }) end) end)
      other = spawn(function() print(ask { text = "other" }) end)
      """)
    #expect(renderer.text.contains("other"))
    try loop.runtime.evaluate("context.disable 'c' other:cancel()", as: Value.self)
    try loop.catchUp()
    #expect(!renderer.text.contains("mine") && !renderer.text.contains("other"))
    try loop.runtime.evaluate("context.enable 'c'", as: Value.self)
    try loop.catchUp()
    #expect(renderer.text.contains("mine"))
    try loop.runtime.evaluate("context.clear 'c'", as: Value.self)
    try loop.catchUp()
    #expect(!renderer.text.contains("mine") && printed.lines.isEmpty)
    #expect(loop.runtime.scene?.presented.isEmpty == true)
  }

  @Test func `without a display it gives nil when nothing else is left to do`() throws {
    let code = try run(
      """
      show(view.label { text = "below" })
      spawn(function() print(ask { text = "anyone?" }) print(ask.text {}) end)
      after(2, function() print("later") end)
      """)
    #expect(code == 0)
    #expect(printed.lines == ["later", "nil", "nil"])
  }

  @Test func `a text that a host evaluates gets nil where nobody can answer`() async throws {
    let runtime = try runtime()
    let text = "ask { text = 'Go on?' } == nil and ask.text { text = 'Name?' } == nil"
    #expect(try { try runtime.evaluate(text, as: Bool.self) }())
    #expect(try await runtime.evaluate(text, as: Bool.self))
  }

  @Test func `who asks again and again without a display is stopped`() throws {
    let runtime = try runtime()
    try runtime.evaluate(
      "spawn(function() repeat local name = ask.text { text = 'Name?' } until name end)",
      as: Value.self)
    _ = try runtime.runUntilExit()
    #expect(runtime.errors.contains { $0.message.contains("nobody is there who could answer") })
  }

  // MARK: Before the end

  private static let saving = """
    show(view.label { text = "below" })
    on(app, "willQuit", function()
      local answer = ask { text = "Save?", buttons = { "Save", "Discard", "Cancel" } }
      print(answer)
      return answer == "Save" or answer == "Discard"
    end)
    """

  @Test func `willQuit may ask, and its answer decides`() throws {
    let runtime = try runtime()
    try runtime.evaluate(Self.saving, as: Value.self)
    let loop = AppLoop(runtime, renderer)
    var inputs = ["Escape", "Ctrl-C", "Enter"]
    loop.beforeTurn = { [renderer] in
      // As a person does, who waits for the question.
      if renderer.text.contains("Save?"), !inputs.isEmpty, inputs[0] != "Ctrl-C" {
        for key in (try? Key.sequence(inputs.removeFirst())) ?? [] {
          runtime.scene?.send(.key(key))
        }
      } else if inputs.first == "Ctrl-C" {
        inputs.removeFirst()
        runtime.exit(130)
      }
      // Time goes on, and with it the frames.
      _ = runtime.loop.after(0.1) {}
    }
    runtime.exit(130)
    try loop.run()
    #expect(printed.lines == ["nil", "Save"])
    #expect(runtime.exitCode == 130)
  }

  @Test func `willQuit that asks without a display gets nil`() throws {
    let runtime = try runtime()
    try runtime.evaluate(Self.saving + "\nafter(1, function() exit(3) end)", as: Value.self)
    _ = try runtime.runUntilExit()
    #expect(printed.lines.first == "nil")
  }

  // MARK: Wrong use

  @Test(arguments: [
    ("ask { text = 'x' }", "'ask' has to wait, which cannot be done here"),
    ("ask.text { text = 'x' }", "'ask.text' has to wait, which cannot be done here"),
    ("ask { txt = 'x' }", "ask has no option \"txt\"; did you mean \"text\"?"),
    ("ask { buttons = {} }", "\"buttons\" of ask is a list of 1 to 20 texts"),
    ("ask { buttons = { 'Save' }, default = 'Sav' }", "did you mean \"Save\"?"),
    ("ask()", "table"),
    ("ask.choice {}", "ask.choice needs the option \"items\""),
    ("ask.choice { items = { {} } }", "\"items\" of ask.choice is a list"),
    ("ask.choice { items = { 'a' }, selectedIndex = 2 }", "is 1 to 1, not 2"),
    ("ask.texts {}", "ask has no \"texts\"; did you mean \"text\"?"),
    ("ask.text = 1", "ask.text cannot be assigned to"),
  ])
  func `wrong use is told`(_ code: String, _ message: String) throws {
    let runtime = try runtime()
    let told = try runtime.evaluate(
      "local _, m = pcall(function() local c = computed(function() \(code) return 1 end) "
        + "local o = object { c = c } return o.c end) return tostring(m)", as: String.self)
    #expect(told.contains(message), "\(told)")
  }
}
