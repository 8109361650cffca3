import TideBindings
import TideGraph

/// A row of a list, table, tree or collection. Its `dataObject` is the row's object, and `index` is
/// the row, from 0 in Swift and from 1 in scripts. Both change when the cell is reused for another
/// row.
///
/// ```lua
/// view.list { items = people, cell = function()
///   return view.cell { view.label { bindTo = { text = "dataObject.name" } } }
/// end }
/// ```
///
/// A selected cell is reversed while its list has the focus, dimmed while another view has it, and
/// bold while one of its own subviews has it, so that the subview stands out. While nothing is
/// selected, a list with the focus underlines its first visible row.
public class CellView: View {
  /// The current row, or the last one.
  final var row = 0
  /// Whether the user has interacted with the cell, which may have left state unrelated to its row.
  final var wasUsed = false
  /// The failure of the functions that made the cell. Such a cell is not reused but made again.
  final var failure: CellFailure?
  private final var titleEffect: Effect?
  private final var styleEffect: Effect?
  /// The result of `rowStyle` for the row, and its failure.
  private final var rowLook: RowLook?
  private final var styleFailure: FunctionFailure?

  /// The value that `rowStyle` returned for the row, and its look for a version of the style sheet.
  private struct RowLook {
    let value: Value
    var look: Look
    var version: Int
  }

  private final var currentRowLook: Look? {
    guard let known = rowLook else { return nil }
    let sheet = StyleSheet.of(graph)
    if known.version != sheet.version, let rows = superview {
      // If the style no longer exists, the row keeps its look.
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
    // Underlines the current row if several rows are selected.
    let isCurrent = rows.mode == .many && rows.selection == row && rows.marks.rows.count > 1
    return isCurrent ? style.chosen.with(.underline) : style.chosen
  }

  override func describe(_ description: inout ViewDescription) {
    if let look = currentRowLook { description.look.apply(look) }
  }

  /// Whether it was made by `plain`, so that it has no state apart from its row.
  final var isPlain: Bool { titleEffect != nil }

  /// Makes a cell for rows without a cell function: it shows the row's title and follows changes.
  ///
  /// - Parameter wraps: whether a long title wraps to the next line.
  static func plain(wraps: Bool) -> CellView {
    let cell = CellView(viewClass: .cell)
    let label = LabelView()
    if wraps { label.put(.wrap, true) }
    try? cell.add(label)
    cell.titleEffect = cell.graph.effect { [unowned cell, weak label] in
      // A script may have removed the label.
      guard let label else { return }
      label.put(.text, .string(RowTitle.of(cell[.dataObject])))
    }
    return cell
  }

  /// Computes the row's look by the view's `rowStyle`, and again when the values it read change.
  func followRowStyle(of rows: RowsView) {
    if styleEffect != nil { return }
    styleEffect = graph.effect { [weak self, weak rows] in
      // The script's function may cause the view to release its cells.
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

  /// Assigns the cell to a row.
  func show(_ object: Value, row: Int, isSelected: Bool) {
    if let failure, self.row != row, let rows = parent as? RowsView {
      failure.move(to: rows.failureSite(ofRow: row, object))
    }
    self.row = row
    setOwnDataObject(object)
    put(.index, .integer(row.number))
    put(.selected, .boolean(isSelected))
  }

  /// Failures are listed while the cell is visible. The functions are called again when it
  /// reappears.
  override func leftScene() {
    failure?.end()
    failure?.isOver = true
    styleEffect?.cancel()
    (styleEffect, styleFailure) = (nil, nil)
  }

  deinit { styleEffect?.cancel() }

  /// The object of its row.
  final var shownObject: Value { inheritance.own?.value ?? .null }
}

/// The errors of the functions that make a cell, valid until the functions are called again.
final class CellFailure {
  let listed: [FunctionFailure]
  private var site: FailureSite
  /// Detects changes of the values that the functions have read.
  var effect: Effect?
  /// Whether the functions have to be called again.
  var isOver = false

  init(_ listed: [FunctionFailure], at site: FailureSite) {
    self.listed = listed
    self.site = site
  }

  deinit { effect?.cancel() }

  /// The cell is no longer shown.
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
