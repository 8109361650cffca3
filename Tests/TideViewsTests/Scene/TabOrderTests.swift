import Testing
import TideBindings

@testable import TideViews

@Suite struct TabOrderTests {
  private func field(_ id: String, order: Double? = nil, autofocus: Bool = false) -> FieldView {
    let field = FieldView("")
    field[.id] = id
    field[.order] = order
    field[.autofocus] = autofocus
    return field
  }

  private func column(_ views: View...) throws -> View { try ViewClass.column.make(views) }

  private func order(_ shown: ShownView) -> String {
    shown.scene.focusOrder.map { $0[.id] ?? "" }.joined(separator: " ")
  }

  @Test func `Tab goes through views with an order first, by it, and then through the tree`() throws
  {
    let shown = try ShownView(
      column(
        field("a"), field("b", order: 2), field("c", order: 1), field("d"),
        field("e", order: .nan), field("f", order: 1), field("g", order: -1)), 20, 8)
    #expect(order(shown) == "g c f b a d e")
    try shown.expect(
      shown.scene.focused?[.id],
      after: ["Tab": "g", "Tab Tab": "f", "Shift-Tab": "c", "Tab Tab Tab": "a"])
  }

  @Test func `a view that goes passes the focus on in that order`() throws {
    let views = [field("a"), field("b", order: 2), field("c", order: 1), field("d")]
    let shown = try ShownView(ViewClass.column.make(views), 20, 8)
    views[2].focus()
    views[2].remove()
    _ = try shown.text
    #expect(shown.scene.focused?[.id] == "b")
    views[1][.hidden] = true
    _ = try shown.text
    #expect(shown.scene.focused?[.id] == "a")
    views[3].focus()
    views[3][.enabled] = false
    _ = try shown.text
    #expect(shown.scene.focused?[.id] == "a")
  }

  @Test func `autofocus gives the focus when the app is first shown`() throws {
    let shown = try ShownView(column(field("a"), field("b", autofocus: true)), 20, 4)
    #expect(shown.scene.focused?[.id] == "b")
    // What comes later does not take it away.
    try shown.scene.root?.add(field("c", autofocus: true), at: 0)
    _ = try shown.text
    #expect(shown.scene.focused?[.id] == "b")
  }

  @Test func `a view that asks for the focus itself goes before autofocus`() throws {
    let asking = field("a")
    asking.focus()
    let shown = try ShownView(column(field("b", autofocus: true), asking), 20, 4)
    #expect(shown.scene.focused?[.id] == "a")
  }

  @Test(arguments: [true, false])
  func `autofocus gives the focus whenever its dialog appears`(isModal: Bool) throws {
    let dialog = try ViewClass.dialog.make([field("x"), field("y", autofocus: true)])
    dialog[.modal] = isModal
    dialog[.hidden] = true
    let shown = try ShownView(column(field("a"), dialog), 40, 12)
    #expect(shown.scene.focused == nil)
    try shown.press("Tab")
    for _ in 1...2 {
      dialog[.hidden] = false
      _ = try shown.text
      #expect(shown.scene.focused?[.id] == "y")
      dialog[.hidden] = true
      _ = try shown.text
      #expect(shown.scene.focused?[.id] == "a")
    }
  }

  @Test func `over a reload the focus stays where the person has put it`() throws {
    let shown = try ShownView(column(field("a"), field("b")), 20, 4)
    try shown.scene.reconcile(with: column(field("a"), field("b", autofocus: true)))
    _ = try shown.text
    #expect(shown.scene.focused?[.id] == "b")
    try shown.press("Tab")
    try shown.scene.reconcile(with: column(field("a"), field("b", autofocus: true)))
    _ = try shown.text
    #expect(shown.scene.focused?[.id] == "a")
  }
}
