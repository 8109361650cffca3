import TideGraph

/// The failing rows of a derived list, and the errors listed for them. Because thousands of rows
/// may fail alike, each error message is listed once, with its first row and the number of rows.
struct RowFailures {
  typealias Row = RowOrder.Row

  private struct Wording {
    /// The message as it was thrown.
    let text: String
    var error: TideError
    var isListed = false
    /// Whether it is also the error of comparing rows.
    var isOfPair = false
  }

  /// The failing rows that share a message. The first of them is cached while rows are only added
  /// and it still fails.
  private struct Rows {
    var count = 0
    var first: Row?
    var added: [Row] = []
  }

  /// The wording of each row that fails.
  private var failing: [Row: Int] = [:]
  private var rows: [Int: Rows] = [:]
  private var wordings: [Wording?] = []
  /// Whether failures have changed since they were last listed.
  private(set) var hasChanged = false
  /// Names the owner of the function; nil for an owner without a name.
  var name: (() -> String)?

  private static let mostWordings = 10

  mutating func note(_ error: TideError, of row: Row) {
    let index = index(of: error)
    if failing[row] == index { return }
    noteSuccess(of: row)
    failing[row] = index
    rows[index, default: Rows()].count += 1
    rows[index, default: Rows()].added.append(row)
    hasChanged = true
  }

  var isEmpty: Bool { failing.isEmpty }

  mutating func noteSuccess(of row: Row) {
    guard let index = failing.removeValue(forKey: row) else { return }
    rows[index]?.count -= 1
    if rows[index]?.first == row { rows[index]?.first = nil }
    hasChanged = true
  }

  /// Forgets the cached first row, because a failing row has moved.
  mutating func noteMove(of row: Row) {
    if let index = failing[row] { rows[index]?.first = nil }
  }

  /// The wording of an error, or the last wording if there are too many.
  private mutating func index(of error: TideError) -> Int {
    if let known = wordings.firstIndex(where: { $0?.text == error.message }) { return known }
    let made = Wording(text: error.message, error: error)
    if let free = wordings.firstIndex(where: { $0 == nil }) {
      wordings[free] = made
      return free
    }
    if wordings.count == Self.mostWordings { return wordings.count - 1 }
    wordings.append(made)
    return wordings.count - 1
  }

  /// Lists an error that belongs to no single row. It stays listed until no row fails.
  mutating func list(_ error: TideError, in graph: Graph) {
    let index = index(of: error)
    guard var wording = wordings[index], !wording.isListed, wording.text == error.message else {
      return
    }
    wording.error = BindingTable.of(graph).list(error)
    wording.isListed = true
    wording.isOfPair = true
    wordings[index] = wording
  }

  /// Returns a copy to list, and marks all changes as listed.
  mutating func takeChanges(positions: (Row) -> Int) -> RowFailures {
    hasChanged = false
    findFirstRows(positions)
    return self
  }

  private mutating func findFirstRows(_ positions: (Row) -> Int) {
    var isFound = true
    for (index, known) in rows {
      if known.count == 0 {
        rows[index] = nil
        continue
      }
      if known.first == nil { isFound = false }
      let candidates = known.added.filter { failing[$0] == index } + [known.first].compactMap { $0 }
      rows[index]?.added = []
      if known.first != nil {
        rows[index]?.first = candidates.min { positions($0) < positions($1) }
      }
    }
    if isFound { return }
    var first: [Int: (row: Row, position: Int)] = [:]
    for (row, index) in failing where rows[index]?.first == nil {
      let position = positions(row)
      if first[index].map({ position < $0.position }) ?? true { first[index] = (row, position) }
    }
    for (index, found) in first { rows[index]?.first = found.row }
  }

  mutating func adoptWordings(of other: RowFailures) { wordings = other.wordings }

  /// Lists the changes of failures.
  mutating func list(
    in graph: Graph, of function: String, positions: (Row) -> Int, value: (Row) -> Value
  ) {
    let table = BindingTable.of(graph)
    let place = name?() ?? function
    for index in wordings.indices {
      guard var wording = wordings[index] else { continue }
      guard let known = rows[index], let row = known.first else {
        if wording.isOfPair && !failing.isEmpty { continue }
        if wording.isListed { table.withdraw(wording.error) }
        wordings[index] = nil
        continue
      }
      var error = wording.error
      error.site = FailureSite(
        view: place,
        row: FailureSite.Row(number: positions(row).number, title: RowTitle.of(value(row))))
      error.rowCount = known.count
      if wording.isListed { table.relist(error) } else { error = table.list(error) }
      wording.error = error
      wording.isListed = true
      wordings[index] = wording
    }
  }

  /// Withdraws the errors of a list that ends, because another list may replace it. Errors of an
  /// unnamed list stay: a script may have used the list only once.
  mutating func release(in graph: Graph) {
    guard name != nil else { return }
    for case let wording? in wordings where wording.isListed {
      BindingTable.of(graph).withdraw(wording.error)
    }
    wordings = []
  }
}
