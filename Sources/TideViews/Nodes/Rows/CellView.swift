import TideBindings
import TideGraph

/// A row of a list, table, tree or collection. Its `dataObject` is the row's object, `index` which
/// row it is, from 0 in Swift and from 1 in scripts; both change when the view uses the cell for another row.
///
/// ```lua
/// view.list { items = people, cell = function()
///   return view.cell { view.label { bindTo = { text = "dataObject.name" } } }
/// end }
/// ```
///
/// The selected one is reversed where the keys go to its list, pale where they go elsewhere, and
/// bold while one of its own subviews has the focus, so that this one stands out. While nothing is
/// selected, the first row in sight is underlined in a list that has the focus.
public class CellView: View {
  /// The row that it shows or showed last.
  final var row = 0
  /// A person has done something in it, which may have left traces that are not its row's.
  final var wasUsed = false
  private final var titleEffect: Effect?

  override func decorated(_ style: CellStyle) -> CellStyle {
    let rows = parent as? RowsView
    if rows?.dropRow == row && rows?.cells.contains(where: { $0 === self }) == true {
      return style.with(.underline)
    }
    guard flag(.selected) else {
      return rows?.rowWithFocus == row ? style.with(.underline) : style
    }
    if layout.look.states.contains(.selected) { return style }
    guard let rows else { return style.chosen }
    if rows.pool.focused === self { return style.with(.bold) }
    return rows.flag(.focused) ? style.chosen : style.chosenWithoutFocus
  }

  /// Shows a row that no factory made a cell for: its title, also when it changes.
  static func plain() -> CellView {
    let cell = CellView(viewClass: .cell)
    let label = LabelView()
    try? cell.add(label)
    cell.titleEffect = cell.graph.effect { [unowned cell, weak label] in
      // A script may have taken it out.
      guard let label else { return }
      label.put(.text, .string(RowTitle.of(cell[.dataObject])))
    }
    return cell
  }

  override func adoptState(of old: View, _ reconciliation: Reconciliation) {
    super.adoptState(of: old, reconciliation)
    if let old = old as? CellView { wasUsed = old.wasUsed }
  }

  /// Gives the cell to a row.
  func show(_ object: Value, row: Int, isSelected: Bool) {
    self.row = row
    setOwnDataObject(object)
    put(.index, .integer(row.number))
    put(.selected, .boolean(isSelected))
  }

  /// The object that it shows.
  final var shownObject: Value { inheritance.own?.value ?? .null }
}
