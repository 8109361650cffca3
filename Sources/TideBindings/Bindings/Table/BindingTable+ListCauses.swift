import TideGraph

// Traces the contents of a derived list, list by list, to what has changed them: an edit of the
// first list, a property of a row, or another value that a function has read.
//
//     rows ──▶ filter ──▶ order ──▶ map ──▶ items of a view
extension BindingTable {
  /// A step of a chain of causes at a derived list.
  struct ListStep {
    /// Nil for a list that mirrors its source unchanged.
    let cause: Cause?
    let origin: Slot?
    /// The origin has changed before the change with this number.
    let limit: UInt64
  }

  /// The last step of a derived list, if a slot is the version of one.
  func listStep(at slot: Slot, before limit: UInt64) -> ListStep? {
    guard let list = slot.blockHeader?.block as? LiveList, slot == list.versionSlot,
      !((list as? FollowingList)?.controller?.object is ListController)
    else { return nil }
    let change = graph.lastChange(of: slot)
    let isPlain = (list as? DerivedList)?.shortPurpose == DerivedList.plain
    let cause = Cause(
      path: name(ofDerived: list), old: nil, new: .object(list),
      kind: change == nil ? .initial : .edit, location: nil)
    let step = input(of: list, changedBy: change, before: limit)
    return ListStep(cause: isPlain ? nil : cause, origin: step.origin, limit: step.limit)
  }

  /// What has led to the last edit of a derived list.
  private func input(
    of list: LiveList, changedBy change: Change?, before limit: UInt64
  ) -> (origin: Slot?, limit: UInt64) {
    let derived = list as? DerivedList
    if let node = derived?.nodeOfLastEdit, let change,
      let read = latestSource(of: node, before: change.sequence)
    {
      return (holder(of: read, readBy: [node]), change.sequence)
    }
    let other = latestInput(
      of: [list.versionSlot], before: limit, rows: [], isOwn: { _ in false },
      isSetting: { _ in false })
    // The edit came from the source: another derived list, or the first list.
    if let source = derived?.source as? LiveList { return (source.versionSlot, limit) }
    if let other { return (other.slot, other.change.sequence &+ 1) }
    return (derived?.source.versionSlot ?? sourceList(of: list), limit)
  }

  /// For a list that is no `DerivedList`, such as the groups of a list: the version of the list
  /// that it follows; nil if there is none.
  private func sourceList(of list: LiveList) -> Slot? {
    graph.dependencies(of: list.versionSlot).lazy.map { self.graph.source(of: $0) }
      .filter { ($0.blockHeader?.block as? LiveList)?.versionSlot == $0 }
      .max {
        graph.lastChange(of: $0)?.sequence ?? 0 < graph.lastChange(of: $1)?.sequence ?? 0
      }
  }

  /// The name of a derived list, such as `filter of shop.rows`.
  private func name(ofDerived list: LiveList) -> String {
    if let name = hooks.nameOfObject?(list) { return name }
    var source: ValueList = list
    while let derived = source as? DerivedList { source = derived.source }
    guard source !== list, let purpose = (list as? DerivedList)?.shortPurpose else {
      return list.label
    }
    return "\(purpose) of \(hooks.nameOfObject?(source) ?? "a list")"
  }
}
