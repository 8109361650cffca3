// What the built-in classes make of a view's own style, in one place, so that a focus, a selection
// and a hint look the same everywhere and in terminals without colour.
extension CellStyle {
  /// Of a control that has the focus.
  var focused: CellStyle { with(.reverse) }
  /// Of the chosen row or item.
  var chosen: CellStyle { with(.reverse) }
  /// Of the chosen row while the keys go elsewhere.
  var chosenAside: CellStyle { with([.reverse, .dim]) }
  /// Of a table's headings.
  var heading: CellStyle { with([.bold, .underline]) }
  /// Of what is there to help: placeholders, scroll bars, rules.
  var hint: CellStyle { with(.dim) }
  /// Of borders and lines, which text attributes do not suit.
  var line: CellStyle { without(.bold, .underline, .italic) }
}
