import TideBindings
import TideGraph

/// Opens in a new version of a tree what was open in the old one.
///
/// Objects that are the same are open again; another object stands for an old one at the same level
/// with the same `key`, `id`, `name` or `title`, or else at the same place.
enum TreeSuccession {
  static func reopen(_ new: TreeRows, as old: TreeRows) {
    new.marks = old.marks
    var pairs = [(old: old.top, new: new.top)]
    while let pair = pairs.popLast() {
      for open in pair.old.open {
        guard let index = place(of: open, in: pair.new) else { continue }
        let row = pair.new.firstRow + pair.new.rows(before: index)
        new.setOpen(true, row: row)
        if let opened = pair.new.openChild(at: index) { pairs.append((open, opened)) }
      }
    }
  }

  private static func place(of open: TreeBranch, in branch: TreeBranch) -> Int? {
    let element = TreeRows.object(of: open.element)
    let object = branch.list?.row(open.index)
    if let object, TreeRows.object(of: object) == element { return open.index }
    let name = name(of: element)
    for index in 0..<min(branch.count, 10_000) {
      let other = TreeRows.object(of: branch.list?.row(index) ?? .null)
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
