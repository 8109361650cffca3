/// The cells of a view of rows: those that show rows, and those that wait.
///
/// What is taken out of the pool is given to the caller, since a cell that ends may run observers,
/// which may look into the pool.
struct CellPool {
  /// In sight, in order of their rows.
  var shown: [CellView] = []
  /// Out of sight, ready for other rows.
  var spare: [CellView] = []
  /// Out of sight with the focus, until they have lost it.
  var leaving: [CellView] = []
  /// The cell in which the focus is.
  weak var focused: CellView?
  /// The size of a row when no property says it, found from the first cell.
  var foundSize: Size?
  /// Whether events tell of rows that come into sight and leave it.
  var tellsRows = true
  /// A cell is being added to the tree.
  var isAdding = false
  /// Rows that were in sight in the view that this one replaces: they do not come into sight.
  var shownBefore: Set<Int> = []

  /// Takes out the cells that a script has taken out of the tree.
  mutating func takeUnusedCells(of rows: RowsView) -> [CellView] {
    let isStray: (CellView) -> Bool = { $0.parent !== rows }
    if !shown.contains(where: isStray) && !leaving.contains(where: isStray) { return [] }
    let strays = shown.filter(isStray) + leaving.filter(isStray)
    shown.removeAll(where: isStray)
    leaving.removeAll(where: isStray)
    return strays
  }

  /// Takes out those of the cells that wait.
  mutating func takeSpare(where isWanted: (CellView) -> Bool) -> [CellView] {
    let taken = spare.filter(isWanted)
    if !taken.isEmpty { spare.removeAll { cell in taken.contains { $0 === cell } } }
    return taken
  }

  /// Takes out all cells, and forgets what was found by them.
  mutating func takeAll() -> [CellView] {
    let all = shown + leaving + spare
    shown = []
    spare = []
    leaving = []
    foundSize = nil
    return all
  }
}
