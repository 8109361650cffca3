import TideGraph
package import TideValues

/// A list that a grouping keeps in step: that of the groups, or one group's rows.
package final class GroupedList: LiveList {
  /// The list keeps its grouping alive and not the reverse, so that a group's rows stay live on
  /// their own. Retained manually for `ChainedRelease`.
  private let held: Unmanaged<Grouping>

  /// The groups of a list's elements by what a function gives for each, in the order of their first
  /// elements.
  package convenience init(_ source: ValueList, by key: @escaping (Value) throws -> Value) {
    let grouping = Grouping(source, by: key)
    self.init(partOf: grouping)
    grouping.list = self
  }

  init(partOf grouping: Grouping) {
    held = Unmanaged.passRetained(grouping)
    super.init()
  }

  deinit { ChainedRelease.release(held) }

  private var grouping: Grouping { held._withUnsafeGuaranteedRef { $0 } }

  override func catchUp() throws(WorkError) { grouping.beginReading() }
}
