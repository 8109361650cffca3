import TideBindings
import TideGraph

// Observes the lists of children.
extension TreeRows {
  /// Adopts the list of a branch's children.
  func adopt(_ list: ValueList?, by branch: TreeBranch) {
    if branch.source === list { return }
    follow(.removal(0..<branch.count), of: branch)
    branch.source = list
    branch.list = list.map { following($0, of: branch) }
    follow(.insertion(0..<(branch.list?.count ?? 0)), of: branch)
  }

  private func following(_ list: ValueList, of branch: TreeBranch) -> ListFollowing {
    ListFollowing(list) { [unowned self, unowned branch] edits in
      for edit in edits { follow(edit, of: branch) }
      deliver()
    }
  }

  /// Keeps a record that is being edited, and the rows above it, in place; returns these rows.
  func holdRow(of record: Value) -> [Value] {
    var above: [Value] = []
    var next = graph.untracked { index(of: record).flatMap { entry($0)?.branch } }
    while let branch = next {
      if let list = branch.source as? LiveList, !(branch.list?.list is FollowingList) {
        // The list has the same rows, so nothing else changes.
        branch.list = following(FollowingList { list }, of: branch)
      }
      if branch.parent != nil { above.append(branch.element) }
      next = branch.parent
    }
    known = []
    return above
  }

  private func follow(_ edit: RowEdit, of branch: TreeBranch) {
    switch edit {
    case .insertion(let range):
      if range.isEmpty { return }
      let row = branch.firstRow + branch.rows(before: range.lowerBound)
      branch.shift(from: range.lowerBound, by: range.count)
      note(.insertion(row..<row + range.count))
      if !isReopening { reopen(branch, range) }
    case .removal(let range):
      if range.isEmpty { return }
      closeAll(of: branch, in: range)
      let row = branch.firstRow + branch.rows(before: range.lowerBound)
      branch.shift(from: range.upperBound, by: -range.count)
      note(.removal(row..<row + range.count))
    case .replacement(let range):
      closeAll(of: branch, in: range)
      let row = branch.firstRow + branch.rows(before: range.lowerBound)
      note(.replacement(row..<row + range.count))
      reopen(branch, range)
    case .move(let from, let to): follow(movingFrom: from, to: to, of: branch)
    }
  }

  private func closeAll(of branch: TreeBranch, in range: Range<Int>) {
    while true {
      let index = branch.openIndex(from: range.lowerBound)
      guard index < branch.open.count, range.contains(branch.open[index].index) else { return }
      close(branch.open[index])
    }
  }

  private func follow(movingFrom from: Int, to: Int, of branch: TreeBranch) {
    let moved = branch.openChild(at: from)
    if let moved {
      let first = moved.firstRow
      branch.detach(moved)
      if moved.rowCount > 0 { note(.removal(first..<first + moved.rowCount)) }
    }
    // A move across expanded siblings shifts more than one row.
    let start = branch.firstRow
    let row = start + branch.rows(before: from)
    branch.moveChild(from: from, to: to)
    note(.move(from: row, to: start + branch.rows(before: to)))
    guard let moved else { return }
    moved.index = to
    branch.attach(moved)
    if moved.rowCount > 0 {
      note(.insertion(moved.firstRow..<moved.firstRow + moved.rowCount))
    }
  }

  func note(_ edit: RowEdit) {
    known = []
    edits.append(edit)
  }

  func deliver() {
    if edits.isEmpty { return }
    let all = edits
    edits = []
    changed(all)
  }
}
