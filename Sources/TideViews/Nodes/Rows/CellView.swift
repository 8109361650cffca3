import TideBindings
import TideGraph

/// A row of a list, table, tree or collection. Its `dataObject` is the row's object, `index` which
/// row it is, from 0 in Swift and from 1 in scripts; both change when the view uses the cell for
/// another row.
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
  /// What its function has failed with: it shows no other row, and is made anew.
  final var failure: CellFailure?
  private final var titleEffect: Effect?
  private final var styleEffect: Effect?
  /// What `rowStyle` says of its row, or fails with.
  private final var rowLook: RowLook?
  private final var styleFailure: FunctionFailure?

  /// What `rowStyle` gave for the row, and how that looks with the styles of a version.
  private struct RowLook {
    let value: Value
    var look: Look
    var version: Int
  }

  private final var currentRowLook: Look? {
    guard let known = rowLook else { return nil }
    let sheet = StyleSheet.of(graph)
    if known.version != sheet.version, let rows = superview {
      // A style that is not there any more leaves the row as it was.
      let look = (try? Look(ofRow: known.value, of: rows.label, sheet)) ?? known.look
      rowLook = RowLook(value: known.value, look: look, version: sheet.version)
      return look
    }
    return known.look
  }

  override func decorated(_ style: CellStyle) -> CellStyle {
    let style = currentRowLook?.over(style) ?? style
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
    guard rows.flag(.focused) else { return style.chosenWithoutFocus }
    // Of several selected ones the current row stands out.
    let isCurrent = rows.mode == .many && rows.selection == row && rows.marks.rows.count > 1
    return isCurrent ? style.chosen.with(.underline) : style.chosen
  }

  override func describe(_ description: inout ViewDescription) {
    if let look = currentRowLook { description.look.apply(look) }
  }

  /// Whether it was made by `plain`, so that it has no state beside its row.
  final var isPlain: Bool { titleEffect != nil }

  /// Shows a row that no factory made a cell for: its title, also when it changes.
  ///
  /// - Parameter wraps: whether a long title goes on in the next line.
  static func plain(wraps: Bool) -> CellView {
    let cell = CellView(viewClass: .cell)
    let label = LabelView()
    if wraps { label.put(.wrap, true) }
    try? cell.add(label)
    cell.titleEffect = cell.graph.effect { [unowned cell, weak label] in
      // A script may have taken it out.
      guard let label else { return }
      label.put(.text, .string(RowTitle.of(cell[.dataObject])))
    }
    return cell
  }

  /// Has the row's look found by the view's `rowStyle`, again when what that has read changes.
  func followRowStyle(of rows: RowsView) {
    if styleEffect != nil { return }
    styleEffect = graph.effect { [weak self, weak rows] in
      // The script's function may have the view let go of its cells.
      guard let self, let rows, let rowStyle = rows.rowStyle else { return }
      let (object, number): (Value, Int?) = (self[.dataObject], self[.index])
      let sheet = StyleSheet.of(graph)
      var found: RowLook?
      do {
        let value = try rowStyle(object, number ?? 0)
        let look = try Look(ofRow: value, of: rows.label, sheet)
        found = RowLook(value: value, look: look, version: sheet.version)
        graph.untracked { styleFailure = nil }
      } catch {
        graph.untracked {
          let failure = styleFailure ?? FunctionFailure(in: .of(graph))
          styleFailure = failure
          rows.report(error, of: failure, at: rows.failureSite(ofRow: row, object))
        }
      }
      let isSame = found?.look == rowLook?.look
      rowLook = found
      if isSame { return }
      graph.untracked {
        setNeedsDraw()
        rows.setNeedsDraw()
      }
    }
  }

  override func adoptState(of old: View, _ reconciliation: Reconciliation) {
    super.adoptState(of: old, reconciliation)
    if let old = old as? CellView { wasUsed = old.wasUsed }
  }

  /// Gives the cell to a row.
  func show(_ object: Value, row: Int, isSelected: Bool) {
    if let failure, self.row != row, let rows = parent as? RowsView {
      failure.move(to: rows.failureSite(ofRow: row, object))
    }
    self.row = row
    setOwnDataObject(object)
    put(.index, .integer(row.number))
    put(.selected, .boolean(isSelected))
  }

  /// What failed is listed as long as it is to be seen; the functions are called again when it is.
  override func leftScene() {
    failure?.end()
    failure?.isOver = true
    styleEffect?.cancel()
    (styleEffect, styleFailure) = (nil, nil)
  }

  deinit { styleEffect?.cancel() }

  /// The object that it shows.
  final var shownObject: Value { inheritance.own?.value ?? .null }
}

/// The errors of the functions that make a cell, until these functions are called again.
final class CellFailure {
  let listed: [FunctionFailure]
  private var site: FailureSite
  /// Notices when something changes that the functions have read.
  var effect: Effect?
  /// The functions may give something else by now.
  var isOver = false

  init(_ listed: [FunctionFailure], at site: FailureSite) {
    self.listed = listed
    self.site = site
  }

  deinit { effect?.cancel() }

  /// The cell is not shown any more.
  func end() {
    effect?.cancel()
    effect = nil
    for failure in listed { failure.clear() }
  }

  func move(to site: FailureSite) {
    if site == self.site { return }
    self.site = site
    for failure in listed { failure.move(to: site) }
  }
}
