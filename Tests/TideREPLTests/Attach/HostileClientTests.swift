import OwnThread
import Glibc
import Testing
import TideBindings
import TideGraph
@testable import TideScript

@testable import TideREPL

@Suite struct `A client that means ill or knows no better` {
  private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  /// What is sent, and a word of the reason that ends the connection.
  private static let bad: [(sent: [UInt8], reason: String)] = [
    (bytes("GET / HTTP/1.1\r\n\r\n"), "broken"),
    (bytes("{\"kind\":\"evaluate\",\"text\":\"1\"}\n"), "attach"),
    (bytes("{\"kind\":\"attach\",\"version\":99}\n"), "version 99"),
    (bytes("{\"kind\":\"attach\"}\n{\"kind\":\"evalu\n"), "broken"),
    (bytes("{\"kind\":\"attach\"}\n{\"kind\":\"evaluate\",\"text\":{\"a\":1}}\n"), "broken"),
    (
      bytes("{\"kind\":\"attach\"}\n{\"kind\":") + [UInt8](repeating: 0x5B, count: 100_000) + [
        0x0A
      ],
      "broken"
    ),
    (bytes("{\"kind\":\"attach\"}\n{\"kind\":\"") + [0xFF, 0xFE] + bytes("\"}\n"), "UTF-8"),
    ([UInt8](repeating: 0, count: 1000) + [0x0A], "broken"),
    ((0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 7) }, "broken"),
  ]

  @Test(arguments: 0..<bad.count)
  func `is told why, and harms nobody else`(_ index: Int) async throws {
    try await onOwnThread {
      let app = try AttachedApp()
      let other = try app.attach()
      #expect(other.values("local x = 1 return x") == ["1"])
      let client = try app.connect()
      client.send(Self.bad[index].sent)
      let reason = client.wait(for: "error")?.text("text") ?? ""
      #expect(reason.contains(Self.bad[index].reason), "\(reason)")
      #expect(client.waitForEnd())
      #expect(other.values("x") == ["1"])
    }
  }

  @Test func `who asks for what there is not is told so, and goes on`() async throws {
    try await onAttachedApp { app, client in
      let answer = client.answer(to: client.request("explode", [:]))
      #expect(answer?.text("text")?.contains("no request \"explode\"") == true)
      #expect(client.answer(to: client.request("evaluate", [:]))?.texts("values") == [])
      let odd = client.request("evaluate", ["text": 12, "width": -5])
      #expect(client.answer(to: odd)?.texts("values") == [])
      #expect(client.answer(to: client.request("complete", ["text": true]))?.number("start") == 0)
      client.send(#"{"kind":"evaluate","text":"5","id":"mine"}"#)
      #expect(client.wait { $0.text("id") == "mine" }?.texts("values") == ["5"])
    }
  }

  @Test func `a line of 100 MB ends at the limit`() async throws {
    try await onOwnThread {
      let app = try AttachedApp()
      let client = try app.attach(), other = try app.attach()
      let piece = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
      var sent = 0
      while sent < 100, client.send(piece) { sent += 1 }
      #expect(sent < 20)
      #expect(client.wait(for: "error")?.text("text")?.contains("longer than 16 MiB") == true)
      #expect(client.waitForEnd())
      #expect(other.values("1") == ["1"])
    }
  }

  @Test func `a thousand connections leave room for the next`() async throws {
    try await onOwnThread {
      let app = try AttachedApp()
      var clients: [RawClient] = []
      var refused = 0, gone = 0
      for _ in 0..<1000 {
        guard let client = try? app.attach() else {
          // The queue of the socket is full.
          app.runtime.turn(timeout: 0)
          continue
        }
        clients.append(client)
        if clients.count % 50 == 0 { app.runtime.turn(timeout: 0) }
        // A test has few descriptors; who is refused goes.
        if clients.count > 100 {
          let last = clients.removeLast()
          gone += 1
          if last.wait(for: "error")?.text("text")?.contains("32 sessions") == true { refused += 1 }
        }
      }
      #expect(gone > 100)
      #expect(refused == gone)
      #expect(app.run { app.server?.count == 32 })
      #expect(clients[0].values("1") == ["1"])
      clients = []
      #expect(app.run { app.server?.count == 0 })
      #expect(try app.attach().values("2") == ["2"])
    }
  }

  @Test func `who says nothing gives up the place`() async throws {
    try await onOwnThread {
      var limits = SocketThread.Limits()
      limits.patience = 0.05
      let app = try AttachedApp(limits: limits)
      let silent = try app.connect(), attached = try app.attach()
      let reason = silent.wait(for: "error")?.text("text") ?? ""
      #expect(reason.contains("nothing was said"))
      #expect(silent.waitForEnd())
      #expect(attached.values("1") == ["1"])
    }
  }

  @Test func `who writes no more gets what was asked for`() async throws {
    try await onAttachedApp { app, client in
      let id = client.request("evaluate", ["text": "sleep(0.02) return 6"])
      shutdown(client.descriptor, Int32(SHUT_WR))
      #expect(client.answer(to: id)?.texts("values") == ["6"])
      #expect(client.waitForEnd())
      #expect(app.run { app.server?.count == 0 })
    }
  }

  @Test func `who asks without end and reads nothing is stopped`() async throws {
    try await onAttachedApp { app, client in
      client.request("evaluate", ["text": "sleep(1000)"])
      for _ in 0..<200 { client.request("evaluate", ["text": "1"]) }
      #expect(client.wait(for: "error")?.text("text")?.contains("100 requests wait") == true)
      #expect(client.waitForEnd())
      #expect(app.run { app.server?.count == 0 && app.runtime.tasks.running.isEmpty })
    }
  }

  @Test func `answers that nobody reads are dropped with the connection`() {
    var outbox = Outbox(limit: 10_000)
    let text = String(repeating: "x", count: 1000)
    for _ in 0..<9 { outbox.add(Message("result", ["text": .text(text)]).bytes) }
    #expect(!outbox.isOverfull)
    #expect(outbox.backlog > 9000)
    outbox.add(Message("result", ["text": .text(text)]).bytes)
    #expect(outbox.isOverfull)
    #expect(outbox.backlog == 0)
    outbox.add(Message("result").bytes)
    #expect(outbox.backlog == 0)
  }
}
