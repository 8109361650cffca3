public import TideGraph

/// A list that fetches its elements page by page, on demand.
///
/// ```swift
/// let feed = FeedList(page: 50) { offset, count in try store.rows(offset, count) }
/// feed.fetchMore()      // the first page
/// feed.hasMore          // false after a page that is shorter than asked
/// ```
///
/// The requested offset is the number of elements in the list. Only one fetch runs at a time:
/// `fetchMore` does nothing during a fetch, or when all rows have been fetched. An error of a fetch
/// is listed, and the fetch may be tried again. While an asynchronous fetch runs, `isFetching` is
/// true until its rows arrive. `isFetching` and `hasMore` are properties that scripts and bindings
/// can follow. The list may be edited like any other.
public final class FeedList: ValueList {
  /// Returns the elements from an offset on, which counts from 0: as many as requested, or fewer.
  public typealias Fetch = (_ offset: Int, _ count: Int) throws -> [Value]

  /// The number of elements that are requested at a time.
  public let page: Int
  private let fetch: LateFetch
  /// The error of the latest fetch.
  private var failure: TideError?

  /// Begins a fetch, which may be asynchronous. Returns the rows, or nil; then the completion is
  /// called later with the rows, an error, or nil if the rows are no longer wanted.
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

  /// Makes an empty list that fetches pages of this many elements, at least one.
  public convenience init(page: Int = 50, fetch: @escaping Fetch) {
    self.init(page: page, late: { offset, count, _ in try fetch(offset, count) })
  }

  /// Makes a list whose fetch may be asynchronous.
  package init(page: Int, late fetch: @escaping LateFetch) {
    self.page = max(1, page)
    self.fetch = fetch
    super.init([], shape: Self.feedShape)
  }

  /// Whether a fetch is running.
  public var isFetching: Bool { self["isFetching"] == .boolean(true) }

  /// Whether another fetch may return elements.
  public var hasMore: Bool { self["hasMore"] == .boolean(true) }

  /// Fetches the next page and appends it, or begins to. Returns false if nothing was fetched.
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

  /// Takes over the rows of an earlier version of the feed, unless this one has begun already.
  ///
  /// `hasMore` depends on its own fetches.
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
