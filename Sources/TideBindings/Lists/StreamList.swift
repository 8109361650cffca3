public import TideGraph

/// A list into which items are pushed as they come.
///
/// ```swift
/// let lines = StreamList(limit: 1000)
/// lines.begin()
/// try lines.push(["first", "second"])
/// lines.end()
/// ```
///
/// With a limit the oldest items make room for new ones. `loading` says whether more may come,
/// `error` why no more do, and `received` how many have come in all; scripts and bindings follow
/// them.
///
/// As any ``DataObject``, it is used on the actor or thread whose graph it has joined.
public final class StreamList: ValueList {
  /// The most items that it holds; nil for as many as there is memory for.
  public let limit: Int?
  /// How many have come since it last began.
  public private(set) var received = 0
  /// What pushes into it, which it keeps alive.
  package var source: AnyObject?

  package static let streamShape = Shape(
    name: "stream",
    properties: [
      PropertyDescription("error", .string, isReadOnly: true),
      PropertyDescription("loading", .boolean, initial: .boolean(false), isReadOnly: true),
      PropertyDescription("received", .integer, initial: .integer(0), isReadOnly: true),
    ], superclass: listShape)

  /// Makes an empty stream that holds so many items at most, one or more.
  public init(limit: Int? = nil) {
    self.limit = limit.map { max(1, $0) }
    super.init([], shape: Self.streamShape)
  }

  /// Whether more may come.
  public var isLoading: Bool { self["loading"] == .boolean(true) }

  /// Appends items and takes the oldest out, as edits that settle together.
  ///
  /// - Throws: `graph` where somebody else than the list's owner asks.
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

  /// Says that items may come.
  public func begin() {
    graph.batch {
      put("error", .null)
      put("loading", .boolean(true))
    }
  }

  /// Says that items may come again, whatever `error` says.
  package func goOn() { put("loading", .boolean(true)) }

  /// Takes all items out, which begin to be counted anew.
  ///
  /// - Throws: `graph` where somebody else than the list's owner asks.
  public func restart() throws(TideError) {
    received = 0
    put("received", .integer(0))
    try clear()
  }

  /// Says that no more come, and for what reason where that is an error.
  public func end(_ error: TideError? = nil) {
    graph.batch {
      if let error { put("error", .string(error.message)) }
      put("loading", .boolean(false))
    }
  }

  /// Says why no more come at present, though they may again; nil when they do.
  package func note(_ error: TideError?) {
    put("error", error.map { .string($0.message) } ?? .null)
  }

  /// Goes on from the items of an earlier version.
  ///
  /// - Throws: `graph` where somebody else than the list's owner asks.
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
