import Testing
import TideBindings

@testable import TideViews

@Suite struct SceneInvariantsTests {
  private let label = LabelView("a")
  private let field = FieldView("b")

  /// What is said of a scene after one of its records has been made wrong.
  private func complaints(_ spoil: (Scene) throws -> Void) throws -> String {
    let shown = try ShownView(ViewClass.column.make([label, field]), 20, 4)
    try shown.press("Tab")
    _ = try shown.text
    try spoil(shown.scene)
    return shown.scene.brokenInvariants().joined(separator: "; ")
  }

  @Test func `a depth that is not the superview's plus one is named`() throws {
    #expect(try complaints { _ in label.depth = 7 } == "the label has the depth 7")
  }

  @Test func `a mark of a view that is in no queue is named`() throws {
    let text = try complaints { _ in label.layout.flags.insert(.inMeasure) }
    #expect(text == "the label is to be measured and is in no queue")
  }

  @Test func `a focus of which its view does not know is named`() throws {
    let text = try complaints { $0.focus.view = label }
    #expect(text.contains("the field takes itself for focused"))
    #expect(text.contains("the label does not know that it has the focus"))
    #expect(text.contains("the focus is on the label, which cannot have it"))
  }

  @Test func `a float that is none is named`() throws {
    let text = try complaints { $0.floats.add(label) }
    #expect(text.contains("1 floats are noted of 0"))
  }

  @Test func `a subview before the end of its sibling is named`() throws {
    let text = try complaints { _ in field.layout.rect.y = 0 }
    #expect(text.contains("the field is at"))
    #expect(text.contains("before a sibling's end at 1"))
  }

  @Test func `a view that moves and has left is let go of at once`() throws {
    let spinner = SpinnerView(viewClass: .spinner)
    spinner[.isAnimating] = true
    let shown = try ShownView(ViewClass.column.make([spinner, label]), 20, 4)
    _ = try shown.text
    #expect(shown.scene.animation.views.contains { $0 === spinner })
    spinner.remove()
    #expect(shown.scene.animation.views.isEmpty)
    shown.expectSound()
  }
}
