/// A column with a border around it and a title in the border.
///
/// ```lua
/// view.box { title = "Fruit", view.label { text = "fig" } }
/// ```
public final class BoxView: View {
  override var leastWidth: Int { widthOfTitle }
  override var declaredProperties: [ViewProperty] { [.title] }

  override func adoptState(of old: View, _ reconciliation: Reconciliation) {
    super.adoptState(of: old, reconciliation)
    adopt(.title, of: old, reconciliation)
  }

  package override func draw(in canvas: Canvas) { canvas.drawBorder(title: text(.title)) }
}

extension View {
  /// The title's width in a border, with a space, a line and a corner at each side.
  var widthOfTitle: Int {
    let title = CharacterWidth.of(text(.title))
    return title == 0 ? 0 : title + 6
  }
}
