import Testing
import TideBindings
import TideGraph
import TideViews

/// What holds for every renderer, as `Renderer` tells it, tried with one that writes down what it
/// is asked.
@Suite struct `A renderer` {
  private final class Recorder: Renderer {
    var calls: [String] = []
    var views: [View] = []

    func mount(_ scene: Scene) {
      calls.append("mount")
      scene.resize(Size(width: 6, height: 1))
    }

    func render(_ changes: Changes) {
      calls.append("\(changes.isWhole ? "whole" : "part") \(changes.frame.text)")
      views = changes.views
    }

    func unmount() { calls.append("unmount") }
  }

  @Test func `is mounted, told what changed and no more, and unmounted once`() throws {
    let label = LabelView("old")
    let renderer = Recorder()
    var keys: [String] = []
    let handler = label.onKey(try Key("a")) { _, event in
      keys.append(event.key?.description ?? "")
      return true
    }
    label[.focusable] = true
    let scene = try Scene(root: label)
    try scene.mount(renderer)
    #expect(renderer.calls == ["mount", "whole old"])
    #expect(scene.size == Size(width: 6, height: 1))
    label[.text] = "new"
    try scene.commit()
    #expect(renderer.calls == ["mount", "whole old", "part new"])
    #expect(renderer.views.map(ObjectIdentifier.init) == [ObjectIdentifier(label)])
    try scene.commit()
    #expect(renderer.calls.count == 3)
    label.focus()
    scene.send(.key(try Key("a")))
    #expect(keys == ["a"])
    scene.unmount()
    scene.unmount()
    #expect(renderer.calls.filter { $0 == "unmount" }.count == 1)
    handler.cancel()
  }

  @Test func `is given back when another takes its place`() throws {
    let first = Recorder()
    let second = Recorder()
    let scene = try Scene(root: LabelView("text"))
    try scene.mount(first)
    try scene.mount(second)
    #expect(first.calls == ["mount", "whole text", "unmount"])
    #expect(second.calls == ["mount", "whole text"])
  }

  @Test func `may ask for any size`() throws {
    let scene = try Scene(root: LabelView("text"))
    scene.resize(Size(width: .max, height: .max))
    #expect(scene.size.width <= Size.cellLimit && scene.size.height >= 1)
    scene.resize(Size(width: 0, height: .max))
    try scene.commit()
    scene.resize(Size(width: 4, height: 1))
    let renderer = TextRenderer()
    try scene.mount(renderer)
    #expect(renderer.text == "text")
  }
}
