import Testing
import TideBindings
import TideGraph

@testable import TideViews

/// Dialogs that come up over somebody who types.
@Suite struct TypingShieldTests {
  private final class Clock {
    var now = 10.0
  }

  private struct Desk {
    let clock = Clock()
    let field = FieldView()
    let scene = Scene()

    init() throws {
      try scene.window.add(field)
      try scene.window.add(ButtonView("Other"))
      scene.host.now = { [clock] in clock.now }
      try scene.mount(TextRenderer(size: Size(width: 40, height: 12)))
      scene.focus(field)
      try scene.commit()
    }
  }

  /// The program asks something.
  private func ask(in scene: Scene) throws -> QuestionDialog {
    let dialog = QuestionDialog(Question(text: "Now?", buttons: ["Yes", "No"]))
    scene.present(dialog)
    try scene.commit()
    return dialog
  }

  @Test func `takes no key that was meant for the text`() throws {
    let desk = try Desk()
    let scene = desk.scene
    try scene.send(keys: "a b")
    let dialog = try ask(in: scene)
    desk.clock.now += 0.2
    try scene.send(keys: "Space Enter Escape c")
    #expect(dialog.scene === scene)
    #expect(desk.field[.text] == "ab")
    desk.clock.now += 0.2
    try scene.send(keys: "Enter")
    #expect(dialog.scene == nil)
    try scene.commit()
    #expect(scene.focused === desk.field)
    #expect(scene.brokenInvariants().isEmpty)
  }

  @Test(arguments: [("a Tab", 0.0), ("a", 1.5), ("Left", 0.0)])
  func `takes keys at once from who does not type`(keys: String, pause: Double) throws {
    let desk = try Desk()
    let scene = desk.scene
    try scene.send(keys: keys)
    desk.clock.now += pause
    let dialog = try ask(in: scene)
    try scene.send(keys: "Escape")
    #expect(dialog.scene == nil)
  }

  @Test func `takes keys at once that follow the one by which it was opened`() throws {
    let desk = try Desk()
    let scene = desk.scene
    var dialog: QuestionDialog?
    desk.field.onKey(Key(.function(2))) { _, _ in
      let asked = QuestionDialog(Question(text: "Sure?", buttons: ["Yes", "No"]))
      dialog = asked
      scene.present(asked)
      return true
    }
    try scene.send(keys: "a F2")
    try scene.commit()
    #expect(dialog?.scene === scene)
    try scene.send(keys: "Enter")
    #expect(dialog?.scene == nil)
  }

  @Test func `one person's typing is not another's`() throws {
    let desk = try Desk()
    let scene = desk.scene
    scene.person = ScenePerson(1)
    try scene.send(keys: "a")
    let dialog = try ask(in: scene)
    scene.person = ScenePerson(2)
    try scene.send(keys: "Escape")
    #expect(dialog.scene == nil)
  }

  @Test func `an app without a clock has no such time`() throws {
    let desk = try Desk()
    let scene = desk.scene
    scene.host.now = nil
    try scene.send(keys: "a")
    let dialog = try ask(in: scene)
    try scene.send(keys: "Escape")
    #expect(dialog.scene == nil)
  }
}
