public import TideGraph

/// Something that happened to a view, as its handlers see it.
public struct Event {
  /// What happened.
  public let name: EventName
  /// The view that it happened to, which is not the one whose handler runs when the event went up.
  public let sender: View
  /// The key, for the event `key` and where a key caused it.
  public var key: Key?
  /// The row, from 0, of a list's event. Scripts count from 1.
  public var index: Int?
  /// Where the row is to be, from 0, in an event that asks for it to be moved.
  public var target: Int?
  /// The row's object, or the new value.
  public var value: Value = .null
  /// The cell that shows the row.
  public var cell: View?

  /// Describes something that happened in a view; the index counts from 0.
  public init(
    _ name: EventName, sender: View, key: Key? = nil, index: Int? = nil, value: Value = .null,
    cell: View? = nil
  ) {
    self.name = name
    self.sender = sender
    self.key = key
    self.index = index
    self.value = value
    self.cell = cell
  }
}
