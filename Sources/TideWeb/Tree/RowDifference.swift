/// The difference between two assignments of cells to rows, in few numbers: where rows are inserted
/// or removed, all cells below shift by the same distance.
///
///     before   5:a 6:b 7:c        after   5:d 6:a 7:b
///     shifts   from 5 by 1        placed  5:d        dropped  c
struct RowDifference: Equatable {
  /// Rows from a shift's first row up to the next shift move by its distance. Rows before the first
  /// shift do not move.
  private(set) var shifts: [Shift] = []
  /// Cells that are new, or that do not move with the cells around them.
  private(set) var placed: [PageElement.Rows.Cell] = []
  private(set) var dropped: [Int] = []

  struct Shift: Equatable {
    let from: Int
    let by: Int
  }

  init(_ before: PageElement.Rows, _ after: PageElement.Rows) {
    let newRows = Dictionary(
      uniqueKeysWithValues: after.cells.map { ($0.element, $0.row) })
    let kept = before.cells.sorted { $0.row < $1.row }.filter { newRows[$0.element] != nil }
    let distances = kept.map { (newRows[$0.element] ?? $0.row) - $0.row }
    var known: [Int: Int] = [:]
    var current = 0
    for (index, cell) in kept.enumerated() {
      let distance = distances[index]
      if distance != current {
        // A single cell that was assigned another row shifts no others.
        guard index + 1 < kept.count, distances[index + 1] == distance else { continue }
        shifts.append(Shift(from: cell.row, by: distance))
        current = distance
      }
      known[cell.element] = cell.row + distance
    }
    placed = after.cells.filter { known[$0.element] != $0.row }
    dropped = before.cells.map(\.element).filter { newRows[$0] == nil }
  }
}
