import Testing
import TideBindings
import TideScript
import TideViews

@Suite struct `A spinner` {
  @Test func `turns while it is in sight, and keeps no program running`() throws {
    var configuration = Runtime.Configuration()
    configuration.clock = VirtualClock()
    let runtime = try Runtime(file: "spin.lua", configuration: configuration)
    try runtime.evaluate(
      "s = view.spinner { id = 's' } show(view.column { s, view.label { text = 'x' } })",
      as: Value.self)
    let renderer = TextRenderer(size: Size(width: 3, height: 2))
    let scene = try #require(runtime.scene)
    try scene.mount(renderer)
    var seen = [renderer.lines[0]]
    for _ in 0..<3 {
      runtime.loop.advance(by: 0.1)
      try scene.commit()
      seen.append(renderer.lines[0])
    }
    #expect(seen == ["⠋", "⠙", "⠹", "⠸"])
    #expect(!runtime.loop.hasWork)
    try runtime.evaluate("s.isAnimating = false", as: Value.self)
    try scene.commit()
    #expect(renderer.lines[0] == "")
    let frames = renderer.frameCount
    runtime.loop.advance(by: 1)
    try scene.commit()
    #expect(renderer.frameCount <= frames + 1, "what does not move costs no frames")
  }
}
