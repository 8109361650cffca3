import OwnThread
import TideLanguageServer
import TideSystem
import Testing

@Suite struct `Messages that wait to be handled` {
  private func request(_ id: Int) -> ProtocolMessage { .request(.number(id), method: "m", nil) }

  private func message(_ next: Inbox.Next) -> ProtocolMessage? {
    if case .message(let entry) = next { entry.message } else { nil }
  }

  @Test func `they keep their order, and the end comes last`() {
    let inbox = Inbox()
    for number in 0..<3000 { inbox.add(request(number), size: 1) }
    inbox.close()
    for number in 0..<3000 { #expect(message(inbox.next(waits: true)) == request(number)) }
    guard case .end(nil) = inbox.next(waits: true) else {
      Issue.record("there is no end")
      return
    }
  }

  @Test func `taking without waiting returns none`() {
    guard case .none = Inbox().next(waits: false) else {
      Issue.record("there is something")
      return
    }
  }

  @Test func `cancelling marks a request that waits and one that was taken`() {
    let inbox = Inbox()
    inbox.add(request(1), size: 1)
    inbox.add(request(2), size: 1)
    guard case .message(let first) = inbox.next(waits: true) else { return }
    inbox.add(.notification(method: "$/cancelRequest", ["id": 1]), size: 1)
    inbox.add(.notification(method: "$/cancelRequest", ["id": 2]), size: 1)
    #expect(first.cancellation.isCancelled)
    guard case .message(let second) = inbox.next(waits: true) else { return }
    #expect(second.cancellation.isCancelled)
    #expect(inbox.isEmpty)
  }

  @Test func `adding too much waits until some is taken`() async throws {
    let inbox = Inbox(limit: 10)
    inbox.add(request(1), size: 11)
    let adder = JoinedThread { inbox.add(.notification(method: "late", nil), size: 1) }
    usleep(30_000)
    #expect(message(inbox.next(waits: false)) == request(1))
    adder.join()
    #expect(message(inbox.next(waits: false)) == .notification(method: "late", nil))
  }

  @Test func `what the server posts to itself never waits for room`() {
    let inbox = Inbox(limit: 10)
    inbox.add(request(1), size: 11)
    inbox.post(.notification(method: "own", nil))
    #expect(message(inbox.next(waits: false)) == request(1))
    #expect(message(inbox.next(waits: false)) == .notification(method: "own", nil))
  }

  @Test func `giving up releases the adding thread and drops what waits`() {
    let inbox = Inbox(limit: 10)
    inbox.add(request(1), size: 11)
    let adder = JoinedThread { inbox.add(.notification(method: "late", nil), size: 1) }
    usleep(30_000)
    inbox.abandon(reason: "because")
    adder.join()
    guard case .end("because") = inbox.next(waits: true) else {
      Issue.record("it has not ended")
      return
    }
  }
}
