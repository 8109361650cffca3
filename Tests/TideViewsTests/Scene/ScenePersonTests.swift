import Testing
import TideBindings
import TideGraph

@testable import TideViews

/// Several people who share a scene, each with questions of their own.
@Suite struct ScenePersonTests {
  private func scene(_ views: [View]) throws -> Scene {
    let scene = Scene()
    for view in views { try scene.window.add(view) }
    try scene.mount(TextRenderer(size: Size(width: 40, height: 12)))
    try scene.commit()
    return scene
  }

  @Test func `a question keeps nobody but its person from anything`() throws {
    let (delete, other) = (ButtonView("Delete"), ButtonView("Other"))
    let scene = try scene([delete, other])
    let (ann, bob) = (ScenePerson(1), ScenePerson(2))
    let dialog = QuestionDialog(Question(text: "Sure?", buttons: ["Yes", "No"]))
    try delete.on(.touchUpInside) { _, _ in scene.present(dialog) }
    scene.person = ann
    #expect(scene.perform(.press, on: delete))
    scene.placeNewFloats()
    #expect(dialog.person === ann)
    #expect(!scene.isReachable(delete))
    #expect(scene.focused?.isWithin(dialog) == true)
    scene.person = bob
    #expect(scene.isReachable(other))
    #expect(!scene.isReachable(dialog))
    #expect(scene.focus(other))
    try scene.commit()
    #expect(scene.focused === other)
    #expect(scene.brokenInvariants().isEmpty)
    // It goes by an act of its person, and leaves the focus of the other one.
    scene.person = ann
    dialog.dismiss()
    scene.person = bob
    try scene.commit()
    #expect(scene.focused === other)
  }

  @Test func `the focus goes back to where the person was who was asked`() throws {
    let (delete, other) = (ButtonView("Delete"), ButtonView("Other"))
    let scene = try scene([other, delete])
    let ann = ScenePerson(1)
    let dialog = QuestionDialog(Question(text: "Sure?", buttons: ["Yes", "No"]))
    try delete.on(.touchUpInside) { _, _ in scene.present(dialog) }
    scene.person = ann
    #expect(scene.perform(.press, on: delete))
    scene.person = ScenePerson(2)
    #expect(scene.focus(other))
    try scene.commit()
    scene.person = ann
    #expect(scene.focus(scene.focusOrder(in: dialog).last))
    dialog.dismiss()
    try scene.commit()
    #expect(scene.focused === delete)
    #expect(scene.brokenInvariants().isEmpty)
  }
}
