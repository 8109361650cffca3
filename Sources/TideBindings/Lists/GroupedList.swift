public import TideGraph
package import TideValues

/// A list that a grouping updates: the list of the groups, or the rows of one group.
package final class GroupedList: LiveList {
  /// The list keeps its grouping alive and not the reverse, so that a group's rows stay live on
  /// their own. Retained manually for `ChainedRelease`.
  private let held: Unmanaged<Grouping>

  /// The groups of a list's elements by a key, in the order of their first elements.
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

  package override func conceals(_ value: Value) -> Bool {
    if case .object(is ListGroup) = value { return true }
    return grouping.conceals(value)
  }

  package override func trackConcealed() { grouping.trackConcealed() }

  override func catchUp() throws(WorkError) { grouping.beginReading() }
}

/// One group of a grouped list: the key that its rows share, and the rows.
///
/// ```swift
/// let groups = friends.grouped(byProperty: "city")
/// if case .object(let group as ListGroup)? = groups[1] { print(group.key, group.items.count) }
/// ```
///
/// It is the same object as long as any row has its key.
public final class ListGroup: DataObject {
  private static let groupShape = Shape(
    name: "group",
    properties: [
      PropertyDescription("key", .any, isReadOnly: true),
      PropertyDescription("items", .list, isReadOnly: true),
    ])

  init(key: Value, items: ValueList) {
    super.init(shape: Self.groupShape)
    _ = slot(0).store(key)
    _ = slot(1).store(.object(items))
  }

  /// The key that all rows of the group share.
  public var key: Value { slot(0).load() }

  /// The rows in the order of the list that was grouped; it follows that list.
  public var items: ValueList {
    if case .object(let items as ValueList) = slot(1).load() { items } else { ValueList() }
  }
}
