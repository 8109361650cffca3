import Fuzzing
import Testing
import TideBindings
import TideScript
import TideSystem
import TideValues
import WebClients

@testable import TideWeb

/// Workers that crash, fall silent and lie: whoever they are, they end alone.
@Suite(.serialized) struct SessionProcessTests {
  /// What operators have been told.
  private final class Log: Sendable {
    private let lines = Guarded<[String]>([])
    var faults: [String] { lines.withLock { $0 } }
    func add(_ line: String) { lines.withLock { $0.append(line) } }
  }

  private let log = Log()

  /// An app whose first worker does as the test says, and whose others run the app.
  private func app(
    turn: Double = 5, _ first: @escaping @Sendable (_ channel: Int32, _ control: Int32) -> Void
  ) throws -> ServedApp {
    let options = WorkerOptions(turn: turn, shared: SharedModels()) { [log] _, line, isFault in
      if isFault { log.add(line) }
    }
    let good = ThreadedWorker.starter { _, _ in
      let runtime = try Runtime(file: "app.lua")
      try runtime.evaluate(
        """
        fruit = model "fruit" { name = "apple" }
        show(view.column { view.field { bindTo = { text = "<> fruit.name" } } })
        """, as: Value.self)
      return PrivateApp(runtime)
    }
    var isFirst = true
    return try ServedApp(
      "", WebOptions(), workers: options
    ) {
      $0.startWorker = { () throws(SystemError) in
        defer { isFirst = false }
        return try isFirst ? ThreadedWorker.start(first) : good()
      }
    }
  }

  /// Ends as a process that is killed, when it is told to or its server has gone.
  private static func endWhenKilled(_ channel: Int32, _ control: Int32) {
    var number: UInt8 = 0
    let count = recv(control, &number, 1, 0)
    close(channel)
    ThreadedWorker.end(control, status: count == 1 ? Int32(number) : SIGKILL)
  }

  /// Takes orders until a page is opened, and gives its number.
  private static func openedPage(_ channel: Int32) -> Int {
    while let header = read(5, channel) {
      let length = (0..<4).reduce(0) { $0 | Int(header[$1]) << (8 * $1) }
      guard let content = read(length, channel) else { break }
      let order = try? content.withUnsafeBytes { try WorkerOrder(header[4], $0) }
      if case .opened(let number, _)? = order { return number }
    }
    return -1
  }

  private static func read(_ count: Int, _ channel: Int32) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    return recv(channel, &bytes, count, Int32(MSG_WAITALL)) == count ? bytes : nil
  }

  private static func write(_ bytes: [UInt8], to channel: Int32) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        send(channel, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count <= 0 { return }
      rest = rest.dropFirst(count)
    }
  }

  private static func frame(_ kind: UInt8, _ content: [UInt8]) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: content.count >> (8 * $0)) } + [kind] + content
  }

  private static func frame(_ report: WorkerReport) -> [UInt8] {
    let (kind, content) = report.frame
    return frame(kind, content)
  }

  /// A page whose worker breaks is told so and comes again; that of another browser notices nothing.
  private func expectEnd(of app: ServedApp, because reason: String) throws {
    let client = try RawClient(port: app.port)
    client.send(app.upgrade())
    _ = client.head()
    let (other, page) = try app.viewer(in: app.address.another)
    while try app.receive(client) != nil {}
    #expect(client.closing?.code == 4000)
    #expect(client.closing?.reason == PageRefusal.broken.reason)
    #expect(log.faults.count == 1)
    #expect(log.faults.first?.contains(reason) == true, "\(log.faults)")
    other.say("[1,\"edit\",\(try page.node("field")),0,5,\"pear\"]")
    for _ in 0..<20 where page.acknowledged != 1 {
      try page.apply(try #require(try app.receive(other)))
    }
    #expect(page.acknowledged == 1)
    #expect(app.service.sessionCount == 1)
  }

  @Test func `one that crashes ends alone`() throws {
    let app = try app { channel, control in
      close(channel)
      ThreadedWorker.end(control, status: SIGSEGV)
    }
    try expectEnd(of: app, because: "signal 11")
  }

  @Test func `one that falls silent is killed`() throws {
    let app = try app(turn: 2 - WorkerOptions.margin) { channel, control in
      Self.write(Self.frame(.ready), to: channel)
      Self.endWhenKilled(channel, control)
    }
    try expectEnd(of: app, because: "did not answer")
  }

  /// What no worker sends, about a page and otherwise.
  private static func lies(ofPage number: Int) -> [[UInt8]] {
    [
      Self.frame(200, []),
      [0xFF, 0xFF, 0xFF, 0x7F, 1],
      Self.frame(.ready) + Self.frame(.ready),
      Self.frame(.read(number)),
      Self.frame(.page(number, turn: 0, Array("[\"end\"".utf8))),
      Self.frame(.page(number, turn: 0, Array("{\"a\":1}".utf8))),
      Self.frame(.page(number, turn: 0, [0x5B, 0x22, 0xFF, 0x22, 0x5D])),
      Self.frame(.end(number, text: String(repeating: "x", count: 5000))),
      Self.frame(.picture(1, Array("<svg onload=alert(1)>".utf8))),
      Self.frame(.values([UInt8](repeating: 0, count: (4 << 20) + 1))),
      Self.frame(.join(1, model: String(repeating: "m", count: 2000))),
      Self.frame(.join(1, model: "a")) + Self.frame(.join(1, model: "b")),
      Self.frame(.update(9, [])),
      Self.frame(.leave(9)),
    ]
  }

  @Test func `one that sends what no worker sends is killed`() throws {
    for index in Self.lies(ofPage: 0).indices {
      let test = SessionProcessTests()
      let app = try test.app { channel, control in
        Self.write(Self.lies(ofPage: Self.openedPage(channel))[index], to: channel)
        Self.endWhenKilled(channel, control)
      }
      try test.expectEnd(of: app, because: "sent what no worker sends")
      #expect(test.log.faults.count == 1, "lie \(index)")
    }
  }

  @Test func `random frames end a worker, or do nothing, and hurt nobody`() throws {
    var generator = SeededGenerator("frames of a worker")
    for _ in 0..<20 {
      var bytes: [UInt8] = []
      for _ in 0..<Int.random(in: 1...50, using: &generator) {
        var content = generator.bytes(Int.random(in: 0...80, using: &generator))
        if content.count >= 8, Bool.random(using: &generator) {
          content.replaceSubrange(0..<8, with: [1, 0, 0, 0, 0, 0, 0, 0])
        }
        bytes += Self.frame(UInt8.random(in: 0...15, using: &generator), content)
      }
      let hostile = bytes
      let app = try SessionProcessTests().app { channel, control in
        Self.write(hostile, to: channel)
        close(channel)
        ThreadedWorker.end(control, status: SIGKILL)
      }
      let client = try RawClient(port: app.port)
      client.send(app.upgrade())
      _ = client.head()
      while try app.receive(client) != nil {}
      let (other, page) = try app.viewer()
      other.say("[1,\"edit\",\(try page.node("field")),0,5,\"pear\"]")
      for _ in 0..<20 where page.acknowledged != 1 {
        try page.apply(try #require(try app.receive(other)))
      }
      #expect(page.acknowledged == 1)
    }
  }

  @Test func `a page goes on with the values that its worker sent last`() throws {
    let values = KeptFruit.bytes
    let app = try app { channel, control in
      Self.write(Self.frame(.ready) + Self.frame(.values(values)), to: channel)
      Self.write(
        Self.frame(
          .page(1, turn: 0, Array("[[\"hello\",{\"session\":\"x\",\"dev\":false}]]".utf8))),
        to: channel)
      close(channel)
      ThreadedWorker.end(control, status: SIGABRT)
    }
    let client = try RawClient(port: app.port)
    client.send(app.upgrade())
    _ = client.head()
    while try app.receive(client) != nil {}
    #expect(client.closing?.code == 4000)
    let session = try #require(app.service.firstKeptSession)
    let again = try RawClient(port: app.port)
    again.send(app.upgrade(session: session))
    _ = again.head()
    let page = PageMirror()
    let first = try #require(try app.receive(again))
    try page.apply(first)
    var (nodes, shown) = (page.root.map { [$0] } ?? [], [String]())
    while let node = nodes.popLast() {
      if node.className == "field" { shown.append(node.properties["text"]?.text ?? "") }
      nodes += node.children
    }
    #expect(shown == ["plum"])
    #expect(try app.receive(again)?.contains("stopped unexpectedly") == true)
  }

  @Test func `an app that breaks again and again is given up`() throws {
    let options = WorkerOptions(turn: 5, shared: SharedModels()) { _, _, _ in }
    let app = try ServedApp(
      "", WebOptions(), workers: options
    ) {
      $0.startWorker = { () throws(SystemError) in
        try ThreadedWorker.start { channel, control in
          close(channel)
          ThreadedWorker.end(control, status: SIGSEGV)
        }
      }
    }
    var session = ""
    var last = ""
    for _ in 0..<4 {
      let client = try RawClient(port: app.port)
      client.send(app.upgrade(session: session))
      _ = client.head()
      while let message = try app.receive(client) { last = message }
      session = app.service.firstKeptSession ?? session
    }
    #expect(last.contains("several times"))
  }

  /// The values of an app whose fruit is a plum.
  private enum KeptFruit {
    static let bytes: [UInt8] = {
      guard let runtime = try? Runtime(file: "app.lua"),
        (try? runtime.evaluate(
          "fruit = model 'fruit' { name = 'apple' } fruit.name = 'plum'", as: Value.self)) != nil
      else { return [] }
      return runtime.keptModels()
    }()
  }
}
