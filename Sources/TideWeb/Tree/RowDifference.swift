/// How cells that show some rows come to show others, as few numbers: whole stretches of rows move
/// by the same distance where rows come and go above them.
///
///     before   5:a 6:b 7:c        after   5:d 6:a 7:b
///     shifts   from 5 by 1        placed  5:d        dropped  c
struct RowDifference: Equatable {
  /// Rows from one on, up to the next of these, move by so many; those before the first do not.
  private(set) var shifts: [Shift] = []
  /// Cells that come, or go elsewhere than the others around them.
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
        // One cell alone, which was given another row, moves no others.
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
