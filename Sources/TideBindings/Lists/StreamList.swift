public import TideGraph

/// A list into which items are pushed as they arrive.
///
/// ```swift
/// let lines = StreamList(limit: 1000)
/// lines.begin()
/// try lines.push(["first", "second"])
/// lines.end()
/// ```
///
/// With a limit the oldest items are dropped for new ones. `loading` tells whether more items may
/// arrive, `error` why no more do, and `received` how many have arrived in total. Scripts and
/// bindings can follow these properties.
///
/// As any ``DataObject``, it is used on the actor or thread whose graph it has joined.
public final class StreamList: ValueList {
  /// The maximum number of items that it holds; nil for no limit.
  public let limit: Int?
  /// The number of items that have arrived since the last `restart()`.
  public private(set) var received = 0
  /// The object that pushes into it. The stream keeps this object alive.
  package var source: AnyObject?

  package static let streamShape = Shape(
    name: "stream",
    properties: [
      PropertyDescription("error", .string, isReadOnly: true),
      PropertyDescription("loading", .boolean, initial: .boolean(false), isReadOnly: true),
      PropertyDescription("received", .integer, initial: .integer(0), isReadOnly: true),
    ], superclass: listShape)

  /// Makes an empty stream with a maximum number of items, at least one.
  public init(limit: Int? = nil) {
    self.limit = limit.map { max(1, $0) }
    super.init([], shape: Self.streamShape)
  }

  /// Whether more items may arrive.
  public var isLoading: Bool { self["loading"] == .boolean(true) }

  /// Appends items and removes the oldest ones, as edits that settle together.
  ///
  /// - Throws: `graph` if the caller is not the list's owner.
  public func push(_ items: [Value]) throws(TideError) {
    guard !items.isEmpty else { return }
    if !Graph.admitsWrite(to: firstSlot) {
      throw .otherGraph("the stream belongs to", .of(firstSlot))
    }
    graph.beginBatch()
    defer { graph.endBatch() }
    let kept = limit.map { items.count > $0 ? Array(items.suffix($0)) : items } ?? items
    let held = storage.count
    if let limit, held + kept.count > limit { try remove(at: 0, count: held + kept.count - limit) }
    try append(contentsOf: kept)
    received += items.count
    put("received", .integer(received))
  }

  /// Clears the error, and marks that items may arrive.
  public func begin() {
    graph.batch {
      put("error", .null)
      put("loading", .boolean(true))
    }
  }

  /// Marks that items may arrive again, without clearing the error.
  package func goOn() { put("loading", .boolean(true)) }

  /// Removes all items, and starts counting again.
  ///
  /// - Throws: `graph` if the caller is not the list's owner.
  public func restart() throws(TideError) {
    received = 0
    put("received", .integer(0))
    try clear()
  }

  /// Marks that no more items arrive, with an error if that is the reason.
  public func end(_ error: TideError? = nil) {
    graph.batch {
      if let error { put("error", .string(error.message)) }
      put("loading", .boolean(false))
    }
  }

  /// Sets the reason why no items arrive at present, although they may again; nil if they do.
  package func note(_ error: TideError?) {
    put("error", error.map { .string($0.message) } ?? .null)
  }

  /// Takes over the items of an earlier version.
  ///
  /// - Throws: `graph` if the caller is not the list's owner.
  package func succeed(_ old: StreamList) throws(TideError) {
    guard old !== self else { return }
    try push(old.storage.elements(in: 0..<old.storage.count))
    received = old.received
    put("received", .integer(received))
    put("error", Graph.untracked(at: firstSlot) { old["error"] })
  }

  private func put(_ name: String, _ value: Value) {
    guard let slot = slot(named: name) else { return }
    _ = graph.write(slot, value)
  }
}
