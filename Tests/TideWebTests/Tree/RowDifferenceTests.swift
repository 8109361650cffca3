import Fuzzing
import Testing

@testable import TideWeb

@Suite struct RowDifferenceTests {
  private func rows(_ first: Int, _ elements: [Int]) -> PageElement.Rows {
    PageElement.Rows(
      count: 100,
      cells: elements.enumerated().map { .init(row: first + $0, element: $1) })
  }

  @Test func `a row that comes moves those below it`() {
    let difference = RowDifference(rows(5, [1, 2, 3]), rows(5, [9, 1, 2]))
    #expect(difference.shifts == [.init(from: 5, by: 1)])
    #expect(difference.placed == [.init(row: 5, element: 9)])
    #expect(difference.dropped == [3])
  }

  @Test func `a cell that goes elsewhere alone moves no others`() {
    let difference = RowDifference(rows(0, [1, 2, 3, 4]), rows(0, [4, 1, 2, 3]))
    #expect(difference.shifts == [.init(from: 0, by: 1)])
    #expect(difference.placed == [.init(row: 0, element: 4)])
    #expect(difference.dropped.isEmpty)
  }

  @Test(arguments: 0..<50)
  func `who follows it has the rows after`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var before = rows(Int.random(in: 0..<5, using: &random), Array(0..<8).shuffled(using: &random))
    for step in 1..<20 {
      let elements = (0..<12).shuffled(using: &random).prefix(Int.random(in: 0...9, using: &random))
      let after = rows(
        Int.random(in: 0..<8, using: &random),
        step % 3 == 0 ? before.cells.map(\.element).dropLast(2) + [20 + step] : Array(elements))
      #expect(followed(before, RowDifference(before, after)) == cells(after))
      before = after
    }
  }

  private func cells(_ rows: PageElement.Rows) -> [Int: Int] {
    Dictionary(uniqueKeysWithValues: rows.cells.map { ($0.element, $0.row) })
  }

  private func followed(
    _ before: PageElement.Rows, _ difference: RowDifference
  ) -> [Int: Int] {
    var cells: [Int: Int] = [:]
    for cell in before.cells where !difference.dropped.contains(cell.element) {
      let distance = difference.shifts.last { $0.from <= cell.row }?.by ?? 0
      cells[cell.element] = cell.row + distance
    }
    for cell in difference.placed { cells[cell.element] = cell.row }
    return cells
  }
}
