import Dispatch
import TideValues
import Testing

@testable import TideSystem

struct LoopInboxTests {
  let loop: EventLoop

  init() throws { loop = try EventLoop() }

  @Test func `what is posted runs in order, and what it posts in the next turn`() {
    let record = Shared<[Int]>([])
    loop.post { [inbox = loop.inbox] in
      record.change { $0.append(1) }
      inbox.post { record.change { $0.append(3) } }
    }
    loop.post { record.change { $0.append(2) } }
    loop.turn()
    #expect(record.value == [1, 2])
    loop.turn()
    #expect(record.value == [1, 2, 3])
  }

  @Test func `what was posted and takes long leaves time for timers`() {
    let record = Shared<[String]>([])
    for number in 1...2 {
      loop.post {
        record.change { $0.append("posted \(number)") }
        usleep(60_000)
      }
    }
    loop.turn(timeout: 0)
    loop.after(0) { record.change { $0.append("timer") } }
    while record.value.count < 3 { loop.turn(timeout: 0) }
    #expect(record.value == ["posted 1", "timer", "posted 2"])
  }

  @Test func `a post from another thread wakes a sleeping loop`() {
    let inbox = loop.inbox
    let record = Shared(0)
    for round in 1...200 {
      DispatchQueue.global().async { inbox.post { record.change { $0 += 1 } } }
      while record.value < round { loop.turn() }
    }
    #expect(record.value == 200)
  }

  @Test func `nothing that many threads post is lost`() {
    let inbox = loop.inbox
    let record = Shared(0)
    let threads = 4
    let posts = 25_000
    for _ in 0..<threads {
      DispatchQueue.global().async {
        for _ in 0..<posts { inbox.post { record.change { $0 += 1 } } }
      }
    }
    while record.value < threads * posts { loop.turn() }
    #expect(record.value == threads * posts)
    #expect(!loop.hasWork)
  }

  @Test func `a post between turns makes the next one return`() {
    loop.turn(timeout: 0)
    loop.post {}
    #expect(loop.hasWork)
    #expect(loop.turn())
  }

  @Test func `a post wakes a loop that waits anew after it has given its descriptors back`() {
    let inbox = loop.inbox
    let record = Shared(0)
    for round in 1...300 {
      DispatchQueue.global().async { inbox.post { record.change { $0 += 1 } } }
      while record.value < round { loop.turn() }
      loop.closeIdlePoller()
    }
    #expect(record.value == 300)
  }

  @Test func `posting to a loop that is gone does nothing`() throws {
    let inbox = try EventLoop().inbox
    inbox.post { Issue.record("ran") }
  }
}

/// A value that several threads change.
final class Shared<Value: Sendable>: Sendable {
  private let mutex: Guarded<Value>
  init(_ value: Value) { mutex = Guarded(value) }
  var value: Value { mutex.withLock { $0 } }
  func change(_ body: @Sendable (inout Value) -> Void) { mutex.withLock { body(&$0) } }
}
