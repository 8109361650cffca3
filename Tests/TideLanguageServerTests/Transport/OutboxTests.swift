import OwnThread
import TideLanguageServer
import TideSystem
import Testing

@Suite struct `Messages that wait to be written` {
  private func text(_ bytes: [UInt8]?) -> String? {
    bytes.map { String(decoding: $0, as: UTF8.self) }
  }

  private func framed(_ messages: String...) -> String {
    messages.map { "Content-Length: \($0.utf8.count)\r\n\r\n\($0)" }.joined()
  }

  @Test func `they keep their order`() {
    let outbox = Outbox()
    for number in 1...3 { #expect(outbox.add(.int(number))) }
    #expect(text(outbox.next()) == framed("1", "2", "3"))
  }

  @Test func `a newer one of a topic replaces the older`() {
    let outbox = Outbox()
    _ = outbox.add(1, topic: "a")
    _ = outbox.add(2, topic: "b")
    _ = outbox.add(3, topic: "a")
    #expect(text(outbox.next()) == framed("3", "2"))
    _ = outbox.add(4)
    _ = outbox.add(5, topic: "a")
    _ = outbox.add(6, topic: "a")
    #expect(text(outbox.next()) == framed("4", "6"))
    #expect(outbox.size == 0)
  }

  @Test func `one topic never fills it`() {
    let outbox = Outbox(limit: 1000)
    for number in 0..<10_000 { #expect(outbox.add(.int(number), topic: "a")) }
    #expect(outbox.size < 100)
    #expect(text(outbox.next()) == framed("9999"))
  }

  @Test func `what may wait is limited`() {
    let outbox = Outbox(limit: 100)
    var count = 0
    while outbox.add("0123456789") { count += 1 }
    #expect(count == 100 / framed("\"0123456789\"").utf8.count)
  }

  @Test func `large ones are written one by one`() {
    let outbox = Outbox()
    for _ in 0..<3 { _ = outbox.add(.string(String(repeating: "x", count: 1 << 16))) }
    for _ in 0..<3 { #expect(outbox.next()?.count ?? 0 > 1 << 16) }
    outbox.close()
    #expect(outbox.next() == nil)
  }

  @Test func `taking waits for a message, and for the end`() async throws {
    let outbox = Outbox()
    spawnThread {
      usleep(20_000)
      _ = outbox.add(1)
      usleep(20_000)
      outbox.close()
    }
    let taken = try await onOwnThread { [outbox.next(), outbox.next()] }
    #expect(text(taken[0]) == framed("1"))
    #expect(taken[1] == nil)
  }

  @Test func `draining waits for the one that is being written, but not forever`() async throws {
    let outbox = Outbox()
    _ = outbox.add(1)
    _ = outbox.next()
    let clock = ContinuousClock()
    let patience = try await onOwnThread { clock.measure { outbox.drain(seconds: 0.05) } }
    #expect(patience >= .milliseconds(45))
    outbox.close()
    #expect(outbox.next() == nil)
    outbox.drain(seconds: 100)
  }
}
