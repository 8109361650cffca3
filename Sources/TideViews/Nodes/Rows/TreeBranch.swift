import TideBindings
import TideGraph

/// An open row of a tree, or the top: the list of its children, and those of them that are open.
///
///     top ── count 4: A B C D            rows: A B b1 b2 C D
///             └─ open: B ── count 2: b1 b2
///
/// Only open rows have a branch, so a branch with a million closed children is as small as one with
/// two. `rowCount` is kept in step up to the top; where an open child stands among the rows is
/// summed up when somebody asks.
final class TreeBranch {
  /// What stands in the list above: an object, or a controller's node.
  let element: Value
  unowned let parent: TreeBranch?
  let depth: Int
  /// Its index among the children above.
  var index: Int
  var list: ListFollowing?
  /// The list that was given; rows that are being edited are held by one that follows it.
  var source: ValueList?
  /// Follows which list holds the children.
  var effect: Effect?
  /// How many children there are, as far as the edits have been acted on.
  private(set) var count = 0
  /// By ascending `index`.
  private(set) var open: [TreeBranch] = []
  /// All rows below.
  private(set) var rowCount = 0
  /// For each open child, how many rows below open children come before it; found when asked for.
  private var sums: [Int]?

  init(_ element: Value, below parent: TreeBranch?, at index: Int) {
    self.element = element
    self.parent = parent
    self.index = index
    depth = (parent?.depth ?? -1) + 1
  }

  // MARK: Indices

  private var before: [Int] {
    if let sums { return sums }
    var sum = 0
    let made = open.map { branch in
      defer { sum += branch.rowCount }
      return sum
    }
    sums = made
    return made
  }

  /// The first open child at an index or behind it.
  func openIndex(from index: Int) -> Int {
    var low = 0
    var high = open.count
    while low < high {
      let middle = (low + high) / 2
      if open[middle].index < index { low = middle + 1 } else { high = middle }
    }
    return low
  }

  func openChild(at index: Int) -> TreeBranch? {
    let position = openIndex(from: index)
    return position < open.count && open[position].index == index ? open[position] : nil
  }

  /// How many rows come before a child, below this branch.
  func rows(before index: Int) -> Int {
    let position = openIndex(from: index)
    if position == open.count { return index + rowCount - count }
    return index + before[position]
  }

  /// The child at a row below this branch, or the open child that holds the row and which of its
  /// own it is.
  func find(_ row: Int) -> (index: Int, inside: TreeBranch?, row: Int) {
    let before = before
    // The last open child that stands at the row or before it.
    var low = 0
    var high = open.count
    while low < high {
      let middle = (low + high) / 2
      if open[middle].index + before[middle] <= row { low = middle + 1 } else { high = middle }
    }
    if low == 0 { return (row, nil, 0) }
    let child = open[low - 1]
    let rest = row - child.index - before[low - 1] - 1
    if rest < 0 { return (child.index, nil, 0) }
    if rest < child.rowCount { return (child.index, child, rest) }
    return (child.index + 1 + rest - child.rowCount, nil, 0)
  }

  /// The row of the first child, from the top of the tree.
  var firstRow: Int {
    var row = 0
    var branch = self
    while let above = branch.parent {
      row += above.rows(before: branch.index) + 1
      branch = above
    }
    return row
  }

  // MARK: Edits

  /// Says that children came or went: counts them, and moves the open ones behind them on.
  func shift(from index: Int, by amount: Int) {
    for position in openIndex(from: index)..<open.count { open[position].index += amount }
    count += amount
    grow(by: amount)
  }

  func attach(_ branch: TreeBranch) {
    open.insert(branch, at: openIndex(from: branch.index))
    grow(by: branch.rowCount)
  }

  func detach(_ branch: TreeBranch) {
    let position = openIndex(from: branch.index)
    guard position < open.count, open[position] === branch else { return }
    open.remove(at: position)
    grow(by: -branch.rowCount)
  }

  private func grow(by amount: Int) {
    var branch: TreeBranch? = self
    while let current = branch {
      current.rowCount += amount
      current.sums = nil
      branch = current.parent
    }
  }

  /// Moves a child that is closed, or whose rows are detached, and those between.
  func moveChild(from: Int, to: Int) {
    for branch in open {
      let position = RowEdit.move(from: from, to: to).index(of: branch.index)
      branch.index = position ?? branch.index
    }
    open.sort { $0.index < $1.index }
    sums = nil
  }

  /// Releases everything below, one by one, so that a deep tree ends in no deep recursion.
  func dismantle() {
    var doomed = [self]
    while let branch = doomed.popLast() {
      doomed += branch.open
      branch.open = []
      branch.sums = nil
      branch.effect?.cancel()
      branch.effect = nil
      branch.list = nil
      branch.source = nil
    }
  }
}
