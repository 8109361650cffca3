package import TideValues

/// The numbers or the elements of some rows of a list, as of the time of its making.
///
/// It takes constant time and memory for any number of consecutive rows: its contents are computed
/// at the first read.
package final class RowList: LiveList {
  /// The rows whose numbers, from 1, it holds; nil for a list of elements.
  package let numbered: RowSet?
  private var elements: (() -> [Value])?
  private let howTo: String

  package override var refusal: String { howTo }

  /// A list of the rows' numbers, which count from 1.
  package init(numbersOf rows: RowSet, howTo: String) {
    numbered = rows
    self.howTo = howTo
    elements = { rows.rows.map { .integer($0 + 1) } }
    super.init()
  }

  /// A list of the elements of some rows of a list.
  package init(_ rows: RowSet, of list: ValueList, howTo: String) {
    numbered = nil
    self.howTo = howTo
    list.graph.untracked { list.beginReading() }
    let storage = list.storage
    elements = {
      rows.runs.flatMap { run in storage.elements(in: run.clamped(to: 0..<storage.count)) }
    }
    super.init()
  }

  /// A list of elements that a function returns.
  package init(howTo: String, _ elements: @escaping () -> [Value]) {
    numbered = nil
    self.howTo = howTo
    self.elements = elements
    super.init()
  }

  override func catchUp() throws(WorkError) {
    guard let elements else { return }
    self.elements = nil
    let found = graph.untracked { elements() }
    if !found.isEmpty { emit(.insert(found, at: 0)) }
  }
}
