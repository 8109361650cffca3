public import TideGraph

/// A list that gets its elements page by page, as they are wanted.
///
/// ```swift
/// let feed = FeedList(page: 50) { offset, count in try store.rows(offset, count) }
/// feed.fetchMore()      // the first page
/// feed.hasMore          // false after a page that is shorter than asked
/// ```
///
/// The offset that is asked for is the number of elements held. There are never two fetches at
/// once: `fetchMore` does nothing while one is under way, or when all rows are there. A fetch that
/// throws is listed, and may be tried again. One that takes its time leaves `isFetching` true until
/// its rows are there. `isFetching` and `hasMore` are properties that scripts and bindings follow.
/// The list may be edited like any other.
public final class FeedList: ValueList {
  /// Gives the elements from an offset on, which counts from 0, as many as asked or fewer.
  public typealias Fetch = (_ offset: Int, _ count: Int) throws -> [Value]

  /// How many elements are asked for at a time.
  public let page: Int
  private let fetch: LateFetch
  /// What the latest fetch has failed with.
  private var failure: TideError?

  /// What a fetch begins with that may take its time: the rows, or nothing yet. Then the completion
  /// is called later with them, with an error, or with nil where they are not wanted any more.
  package typealias LateFetch = (
    _ offset: Int, _ count: Int, _ completion: @escaping Completion
  ) throws -> [Value]?
  package typealias Completion = (Result<[Value]?, any Error>) -> Void

  private static let feedShape = Shape(
    name: "feed",
    properties: [
      PropertyDescription("isFetching", .boolean, initial: .boolean(false), isReadOnly: true),
      PropertyDescription("hasMore", .boolean, initial: .boolean(true), isReadOnly: true),
    ], superclass: listShape)

  /// Makes an empty list that fetches pages of that many elements, at least one.
  public convenience init(page: Int = 50, fetch: @escaping Fetch) {
    self.init(page: page, late: { offset, count, _ in try fetch(offset, count) })
  }

  /// One whose fetch may take its time.
  package init(page: Int, late fetch: @escaping LateFetch) {
    self.page = max(1, page)
    self.fetch = fetch
    super.init([], shape: Self.feedShape)
  }

  /// Whether a fetch is under way.
  public var isFetching: Bool { self["isFetching"] == .boolean(true) }

  /// Whether another fetch may give elements.
  public var hasMore: Bool { self["hasMore"] == .boolean(true) }

  /// Fetches the next page and appends it, or begins to; false when nothing was fetched.
  @discardableResult
  public func fetchMore() -> Bool {
    graph.untracked {
      guard hasMore, !isFetching else { return false }
      put("isFetching", true)
      do {
        let rows = try fetch(count, page) { [weak self] in self?.finish($0) }
        guard let rows else { return true }
        return finish(.success(rows))
      } catch {
        return finish(.failure(error))
      }
    }
  }

  /// Goes on from the rows of an earlier version of the feed, unless it has begun already.
  ///
  /// Whether there is more is for its own fetch to say.
  package func succeed(_ old: FeedList) throws {
    try graph.untracked {
      guard old !== self, count == 0, !isFetching else { return }
      try append(contentsOf: old.values)
    }
  }

  @discardableResult
  private func finish(_ result: Result<[Value]?, any Error>) -> Bool {
    defer { put("isFetching", false) }
    do {
      guard let rows = try result.get() else { return false }
      try graph.batch {
        try append(contentsOf: rows)
        if rows.count < page { put("hasMore", false) }
      }
      if let failure { BindingTable.of(graph).withdraw(failure) }
      failure = nil
      return true
    } catch {
      let table = BindingTable.of(graph), former = failure
      var listed = TideError(wrapping: error, graph: graph)
      listed.holder = ObjectHandle(self)
      failure = table.list(listed, at: versionSlot)
      if let former { table.remove(former) }
      return false
    }
  }

  private func put(_ name: String, _ flag: Bool) {
    guard let slot = slot(named: name) else { return }
    _ = graph.write(slot, .boolean(flag))
  }
}
