import TideBindings
import TideGraph

/// A row of a list. Its `dataObject` is the row's object, `index` the row's number, from 1; both
/// change when the list uses the cell for another row.
public final class CellView: View {
  override func adorned(_ style: CellStyle) -> CellStyle {
    flag(.selected) ? style.chosen : style
  }

  /// Shows a row that no factory made a cell for: its text.
  static func plain() -> CellView {
    let cell = CellView(viewClass: .cell)
    try? cell.add(LabelView())
    cell.showsText = true
    return cell
  }

  private var showsText = false

  /// Gives the cell to a row.
  func show(_ object: Value, index: Int, isSelected: Bool) {
    setOwnDataObject(object)
    put(.index, .integer(index))
    put(.selected, .boolean(isSelected))
    if showsText, let label = children.first as? LabelView {
      label.put(.text, .string(object.text ?? ""))
    }
  }
}
