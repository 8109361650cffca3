import Testing
import TideBindings
import TideRun
import TideScript
import TideViews

/// The loop apart from how an app ends: what is drawn when, and what its functions hear.
@Suite struct `The loop of an app` {
  private let runtime: Runtime
  private let renderer = TextRenderer(size: Size(width: 20, height: 2))

  init() throws {
    var configuration = Runtime.Configuration()
    configuration.clock = VirtualClock()
    configuration.print = { _ in }
    runtime = try Runtime(file: "app.lua", configuration: configuration)
  }

  private func evaluate(_ script: String) throws {
    try runtime.evaluate(script, as: Value.self)
  }

  @Test func `a loop that catches up draws what a view changes by appearing`() throws {
    try evaluate(
      """
      local label = view.label { text = "before" }
      on(label, "willAppear", function() after(0, function() label.text = "after" end) end)
      show(label)
      """)
    let loop = AppLoop(runtime, renderer)
    defer { loop.close() }
    try loop.catchUp()
    #expect(renderer.text == "after")
  }

  @Test func `a key that a view takes is drawn, and one that none takes is told`() throws {
    try evaluate("show(view.field { id = \"name\" })")
    let loop = AppLoop(runtime, renderer)
    defer { loop.close() }
    try loop.catchUp()
    var unhandled = 0
    #expect(try loop.send(.key(Key("x" as Character))) { unhandled += 1 })
    #expect(renderer.text.contains("x"))
    #expect(unhandled == 0)
    #expect(try !loop.send(.key(Key("q" as Character, modifiers: .control))) { unhandled += 1 })
    #expect(unhandled == 1)
  }

  @Test func `an app that shows nothing is mounted once, however often the loop turns`() throws {
    try evaluate("for i = 1, 5 do after(i, function() end) end")
    let loop = AppLoop(runtime, renderer)
    defer { loop.close() }
    try loop.show()
    #expect(renderer.isMounted)
    let frames = renderer.frameCount
    try loop.run(while: { runtime.loop.hasWork })
    #expect(renderer.frameCount <= frames + 1)
  }

  @Test func `a loop asks whether it keeps running once nothing is left to do`() throws {
    try evaluate("after(1, function() end)")
    let loop = AppLoop(runtime)
    var (asked, before, after) = (0, 0, 0)
    loop.keepsRunning = {
      asked += 1
      return false
    }
    loop.beforeTurn = { before += 1 }
    loop.afterTurn = { after += 1 }
    try loop.run()
    #expect(asked >= 1)
    #expect(before == 1)
    #expect(after == 1)
    #expect(runtime.loop.now() == 1)
  }

  @Test func `a loop that closes gives the medium back, and takes it again`() throws {
    try evaluate("show(view.label { text = \"here\" })")
    let loop = AppLoop(runtime, renderer)
    try loop.catchUp()
    loop.close()
    #expect(!renderer.isMounted)
    try loop.catchUp()
    #expect(renderer.isMounted)
    #expect(renderer.text == "here")
    loop.close()
  }

  @Test func `handlers that have an app stay keep it from quitting`() throws {
    try evaluate("stays = true on(app, \"willQuit\", function() return not stays end)")
    let loop = AppLoop(runtime)
    loop.keepsRunning = { true }
    #expect(try !loop.quit(within: nil))
    try evaluate("stays = false")
    #expect(try loop.quit(within: nil))
  }
}
