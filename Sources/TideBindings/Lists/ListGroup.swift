public import TideGraph

/// One group of a grouped list: what its rows have in common, and the rows.
///
/// ```swift
/// let groups = friends.grouped(byProperty: "city")
/// if case .object(let group as ListGroup)? = groups[1] { print(group.key, group.items.count) }
/// ```
///
/// It is the same object for as long as some row has its key.
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

  /// What all rows of the group have in common.
  public var key: Value { slot(0).load() }

  /// The rows in the order of the list that was grouped; it follows that list.
  public var items: ValueList {
    if case .object(let items as ValueList) = slot(1).load() { items } else { ValueList() }
  }
}
