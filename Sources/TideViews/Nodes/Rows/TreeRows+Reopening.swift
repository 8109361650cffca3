import TideBindings
import TideGraph

extension TreeRows {
  /// Expands in a new version of a tree the rows that were expanded in the old one.
  ///
  /// An object that is still in the tree is matched by identity. Another object matches an old one
  /// at the same level with the same `key`, `id`, `name` or `title`, or else with the same index.
  func reopen(as old: TreeRows) {
    marks = old.marks
    var pairs = [(old: old.top, new: top)]
    while let pair = pairs.popLast() {
      for open in pair.old.open {
        guard let index = Self.index(of: open, in: pair.new) else { continue }
        let row = pair.new.firstRow + pair.new.rows(before: index)
        setOpen(true, row: row)
        if let opened = pair.new.openChild(at: index) { pairs.append((open, opened)) }
      }
    }
  }

  private static func index(of open: TreeBranch, in branch: TreeBranch) -> Int? {
    let element = object(of: open.element)
    let present = branch.list?.row(open.index)
    if let present, object(of: present) == element { return open.index }
    let name = self.name(of: element)
    for index in 0..<min(branch.count, 10_000) {
      let other = object(of: branch.list?.row(index) ?? .null)
      if other == element { return index }
      if let name, self.name(of: other) == name { return index }
    }
    return name == nil && open.index < branch.count ? open.index : nil
  }

  private static func name(of value: Value) -> Value? {
    guard case .object(let object as DataObject) = value else { return nil }
    for name in ["key", "id", "name", "title"] {
      if let slot = object.slot(named: name) {
        let value = slot.load()
        if value != .null { return value }
      }
    }
    return nil
  }
}
