/// The cells of a view of rows: visible cells, and spare ones for reuse.
///
/// Removed cells are returned to the caller, since the end of a cell may run observers that access
/// the pool.
struct CellPool {
  /// Visible cells, in the order of their rows.
  var shown: [CellView] = []
  /// Cells without a row, ready for reuse.
  var spare: [CellView] = []
  /// Cells that are no longer visible but have the focus; they stay until they lose it.
  var leaving: [CellView] = []
  /// The cell that contains the focus.
  weak var focused: CellView?
  /// The size of a row without an explicit size, taken from the first cell.
  var foundSize: Size?
  /// Whether events are sent for rows that appear and disappear.
  var tellsRows = true
  /// Whether a cell is being added to the tree.
  var isAdding = false
  /// Rows that were visible in the replaced view. No `willDisplay` is sent for them.
  var shownBefore: Set<Int> = []

  /// Removes the cells that a script has removed from the tree.
  mutating func takeUnusedCells(of rows: RowsView) -> [CellView] {
    let isStray: (CellView) -> Bool = { $0.parent !== rows }
    if !shown.contains(where: isStray) && !leaving.contains(where: isStray) { return [] }
    let strays = shown.filter(isStray) + leaving.filter(isStray)
    shown.removeAll(where: isStray)
    leaving.removeAll(where: isStray)
    return strays
  }

  /// Removes the spare cells that match.
  mutating func takeSpare(where isWanted: (CellView) -> Bool) -> [CellView] {
    let taken = spare.filter(isWanted)
    if !taken.isEmpty { spare.removeAll { cell in taken.contains { $0 === cell } } }
    return taken
  }

  /// Removes all cells and the size found from them.
  mutating func takeAll() -> [CellView] {
    let all = shown + leaving + spare
    shown = []
    spare = []
    leaving = []
    foundSize = nil
    return all
  }
}
