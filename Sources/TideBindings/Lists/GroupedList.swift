package import TideGraph

/// A list that a grouping keeps in step: that of the groups, or one group's rows.
package final class GroupedList: ValueList {
  /// Held here and not the other way round, so that whoever has only a group's rows has live ones.
  private let grouping: Grouping
  private var isChanged = false

  /// The groups of a list's elements by what a function gives for each, in the order of their first
  /// elements.
  package convenience init(_ source: ValueList, by key: @escaping (Value) throws -> Value) {
    let grouping = Grouping(source, by: key)
    self.init(partOf: grouping)
    grouping.list = self
  }

  init(partOf grouping: Grouping) {
    self.grouping = grouping
    super.init([], shape: Self.listShape)
    graph.derive(versionSlot, by: Body(self))
  }

  package override var isReadOnly: Bool { true }

  /// Makes an edit that the grouping has found.
  func change(_ edit: Edit) {
    perform(edit)
    isChanged = true
  }

  private final class Body: ComputedBody {
    private weak var list: GroupedList?

    init(_ list: GroupedList) { self.list = list }

    override func evaluate(_ slot: Slot) throws -> Bool {
      guard let list else { return false }
      list.grouping.beginReading()
      guard list.isChanged else { return false }
      list.isChanged = false
      return Int.store(Int.load(slot) &+ 1, in: slot)
    }
  }
}
