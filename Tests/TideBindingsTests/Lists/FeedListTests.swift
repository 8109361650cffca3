import Testing
import TideGraph

@testable import TideBindings

@Suite struct FeedListTests {
  @Test func `pages are asked for where the rows end`() {
    var asked: [Int] = []
    let feed = FeedList(page: 2) { offset, count in
      asked.append(offset)
      return (offset..<min(offset + count, 3)).map { .integer($0) }
    }
    #expect(feed.hasMore && !feed.isFetching)
    #expect(feed.fetchMore())
    #expect(feed.fetchMore())
    #expect(!feed.fetchMore())
    #expect(feed.values == [0, 1, 2])
    #expect(asked == [0, 2])
    #expect(!feed.hasMore)
  }

  @Test func `a fetch inside a fetch does nothing`() {
    weak var same: FeedList?
    var inner: [Bool] = []
    let feed = FeedList { _, _ in
      inner = [same?.fetchMore() ?? true, same?.isFetching ?? false]
      return []
    }
    same = feed
    feed.fetchMore()
    #expect(inner == [false, true])
    #expect(!feed.isFetching && !feed.hasMore)
  }

  @Test func `a fetch that throws is listed and there is still more`() {
    struct Outage: Error {}
    let feed = FeedList { _, _ in throw Outage() }
    let before = BindingTable.of(feed.graph).errors.count
    #expect(!feed.fetchMore())
    #expect(BindingTable.of(feed.graph).errors.count == before + 1)
    #expect(feed.hasMore && !feed.isFetching)
  }
}
