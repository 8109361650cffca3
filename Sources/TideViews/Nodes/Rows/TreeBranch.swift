import TideBindings
import TideGraph

/// An expanded row of a tree, or the root: the list of its children, and the expanded ones among
/// them.
///
///     top ── count 4: A B C D            rows: A B b1 b2 C D
///             └─ open: B ── count 2: b1 b2
///
/// Only expanded rows have a branch, so a branch with a million collapsed children is as small as
/// one with two. `rowCount` is maintained up to the root; the row of an expanded child is summed up
/// on demand.
final class TreeBranch {
  /// The element of the parent's list: an object, or a controller's node.
  let element: Value
  unowned let parent: TreeBranch?
  let depth: Int
  /// Its index among its siblings.
  var index: Int
  var list: ListFollowing?
  /// The original list. Rows being edited are held by another list that follows it.
  var source: ValueList?
  /// Observes which list holds the children.
  var effect: Effect?
  /// The number of children, after the edits processed so far.
  private(set) var count = 0
  /// The expanded children, by ascending `index`.
  private(set) var open: [TreeBranch] = []
  /// The number of visible rows below it.
  private(set) var rowCount = 0
  /// For each expanded child, the number of rows below the preceding expanded children; computed on
  /// demand.
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

  /// The position of the first expanded child with an index of at least `index`.
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

  /// The number of rows before a child, relative to this branch.
  func rows(before index: Int) -> Int {
    let position = openIndex(from: index)
    if position == open.count { return index + rowCount - count }
    return index + before[position]
  }

  /// The child at a row, relative to this branch. If the row is below an expanded child, also that
  /// child and the row relative to it.
  func find(_ row: Int) -> (index: Int, inside: TreeBranch?, row: Int) {
    let before = before
    // The last expanded child at or before the row.
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

  /// The row of the first child, relative to the root.
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

  /// Records that children were inserted or removed: updates the count and the indexes of expanded
  /// children.
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

  /// Moves a child that is collapsed or detached, and shifts the children in between.
  func moveChild(from: Int, to: Int) {
    for branch in open {
      let position = RowEdit.move(from: from, to: to).index(of: branch.index)
      branch.index = position ?? branch.index
    }
    open.sort { $0.index < $1.index }
    sums = nil
  }

  /// Releases all descendants iteratively, so that a deep tree does not cause deep recursion.
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
