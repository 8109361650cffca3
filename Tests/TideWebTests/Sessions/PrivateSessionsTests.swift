import Testing
import TideBindings
import TideScript
import TideSystem
import WebClients

@testable import TideWeb

@Suite(.serialized) struct PrivateSessionsTests {
  /// What runs the app of a session.
  enum Host: CaseIterable {
    case thread, worker
  }

  /// An app of which each viewer has one of its own.
  private func app(_ host: Host, viewers: Int = 8, idle: Double = 60) throws -> ServedApp {
    let models = SharedModels()
    var options = WebOptions(viewers: viewers)
    options.idle = idle
    if host == .worker {
      return try ServedApp(
        "", options, workers: WorkerOptions(turn: 5, shared: models) { _, _, _ in }
      ) {
        $0.startWorker = ThreadedWorker.starter { _, shared in
          PrivateApp(try Self.runtime(shared))
        }
      }
    }
    options.sessions = .private { try Self.runtime(models) }
    return try ServedApp("", options)
  }

  private static func runtime(_ models: any SharingEngine) throws -> Runtime {
    var configuration = Runtime.Configuration()
    configuration.shared = models
    let runtime = try Runtime(file: "app.lua", configuration: configuration)
    try runtime.evaluate(
      """
      fruit = model "fruit" { name = "apple", bites = list {} }
      room = shared("room", { topic = "none" })
      show(view.column {
        view.field { id = "name", bindTo = { text = "<> fruit.name" } },
        view.label { bindTo = { text = "room.topic" } },
        view.button { title = "bite", on = { touchUpInside = function()
          fruit.bites:append(#fruit.bites + 1) room.topic = fruit.name
        end } },
        view.button { title = "spin", on = { touchUpInside = function() while true do end end } },
        view.button { title = "end", on = { touchUpInside = function() exit() end } },
      })
      """, as: Value.self)
    return runtime
  }

  private func text(_ mirror: PageMirror, _ name: String) throws -> String? {
    var rest = [try #require(mirror.root)]
    while let node = rest.popLast() {
      if node.className == name { return node.properties["text"]?.text }
      rest += node.children
    }
    return nil
  }

  /// Takes messages until a condition holds.
  private func follow(
    _ app: ServedApp, _ client: RawClient, _ mirror: PageMirror, until condition: () throws -> Bool
  ) throws {
    for _ in 0..<50 {
      if try condition() { return }
      guard let message = try app.receive(client) else { break }
      try mirror.apply(message)
    }
    #expect(try condition())
  }

  @Test(arguments: Host.allCases)
  func `another browser does not get a session by its name`(host: Host) throws {
    let app = try app(host)
    let (client, mirror) = try app.viewer()
    client.say("[1,\"edit\",\(try mirror.node("field")),0,5,\"pear\"]")
    try follow(app, client, mirror) { mirror.acknowledged == 1 }
    let session = try #require(mirror.session)
    let stranger = try RawClient(port: app.port)
    stranger.send(app.address.another.upgrade(session: session))
    _ = stranger.head()
    let shown = PageMirror()
    try shown.apply(try #require(try app.receive(stranger)))
    #expect(try text(shown, "field") == "apple")
    #expect(shown.session != session)
    let (_, own) = try app.viewer(session: session)
    #expect(try text(own, "field") == "pear")
  }

  @Test(arguments: Host.allCases) func `what one types nobody else sees, but for what is shared`(
    host: Host
  ) throws {
    let app = try app(host)
    let (ann, annsPage) = try app.viewer()
    let (bob, bobsPage) = try app.viewer()
    ann.say("[1,\"edit\",\(try annsPage.node("field")),0,5,\"pear\"]")
    ann.say("[2,\"press\",\(try annsPage.node("button", "bite"))]")
    try follow(app, bob, bobsPage) { try text(bobsPage, "label") == "pear" }
    #expect(try text(bobsPage, "field") == "apple")
  }

  @Test(arguments: Host.allCases) func `one that comes again finds its session`(host: Host) throws {
    let app = try app(host)
    var (client, page) = try app.viewer()
    client.say("[1,\"edit\",\(try page.node("field")),0,5,\"pear\"]")
    try follow(app, client, page) { page.acknowledged == 1 }
    let session = try #require(page.session)
    (client, page) = try app.viewer(session: session)
    #expect(page.session == session)
    #expect(try text(page, "field") == "pear")
  }

  @Test(arguments: Host.allCases)
  func `an idle session is closed, and its values are there when it comes again`(host: Host) throws
  {
    let app = try app(host, idle: 0.05)
    var session = ""
    do {
      let (client, page) = try app.viewer()
      client.say("[1,\"edit\",\(try page.node("field")),0,5,\"pear\"]")
      try follow(app, client, page) { page.acknowledged == 1 }
      session = try #require(page.session)
      #expect(app.service.sessionCount == 1)
    }
    try app.run { app.service.sessionCount == 0 }
    #expect(app.service.sessionCount == 0)
    let (_, page) = try app.viewer(session: session)
    #expect(try text(page, "field") == "pear")
  }

  @Test(arguments: Host.allCases)
  func `values are kept for a page that loses its line while it comes again`(host: Host) throws {
    let app = try app(host, idle: 0.05)
    var session = ""
    do {
      let (client, page) = try app.viewer()
      client.say("[1,\"edit\",\(try page.node("field")),0,5,\"pear\"]")
      try follow(app, client, page) { page.acknowledged == 1 }
      session = try #require(page.session)
    }
    try app.run { app.service.sessionCount == 0 }
    do {
      let client = try RawClient(port: app.port)
      client.send(app.upgrade(session: session))
      _ = client.head()
    }
    try app.run { app.service.sessionCount == 1 }
    try app.run { app.service.sessionCount == 0 }
    let (_, page) = try app.viewer(session: session)
    #expect(try text(page, "field") == "pear")
  }

  @Test(arguments: Host.allCases)
  func `a browser has its share of the sessions, and its own make room for its next`(
    host: Host
  ) throws {
    let app = try app(host, viewers: 8)
    let held = try (0..<4).map { _ in try app.viewer() }
    #expect(app.service.sessionCount == 4)
    // Gone without a word, they are still there.
    for (client, _) in held { client.send(RawClient.frame([], opcode: 8)) }
    #expect(try app.run { app.service.connectedSessions == 0 })
    let other = try RawClient(port: app.port)
    other.send(app.address.another.upgrade())
    #expect(other.head().hasPrefix("HTTP/1.1 101"))
    #expect(try app.receive(other)?.hasPrefix("[[\"hello\"") == true)
    let next = try app.viewer()
    #expect(try app.run { app.service.sessionCount == 5 })
    #expect(app.service.connectedSessions == 2)
    withExtendedLifetime((held, other, next)) {}
  }

  @Test(arguments: Host.allCases) func `a script that never returns keeps nobody else`(host: Host)
    throws
  {
    let app = try app(host)
    let (ann, annsPage) = try app.viewer()
    let (bob, bobsPage) = try app.viewer()
    ann.say("[1,\"press\",\(try annsPage.node("button", "spin"))]")
    bob.say("[1,\"edit\",\(try bobsPage.node("field")),0,5,\"pear\"]")
    try follow(app, bob, bobsPage) { bobsPage.acknowledged == 1 }
  }

  @Test(arguments: Host.allCases) func `an app that ends itself ends for its viewer alone`(
    host: Host
  ) throws {
    let app = try app(host)
    let (ann, annsPage) = try app.viewer()
    let (bob, bobsPage) = try app.viewer()
    ann.say("[1,\"press\",\(try annsPage.node("button", "end"))]")
    var last = ""
    while let message = try app.receive(ann) { last = message }
    #expect(last.hasPrefix("[[\"end\""))
    bob.say("[1,\"edit\",\(try bobsPage.node("field")),0,5,\"pear\"]")
    try follow(app, bob, bobsPage) { bobsPage.acknowledged == 1 }
  }

  @Test(arguments: Host.allCases)
  func `sessions are bounded, and one to which nobody is connected makes room`(host: Host) throws {
    let app = try app(host, viewers: 2)
    let (ann, annsPage) = try app.viewer()
    var bob: RawClient? = try app.viewer().client
    #expect(app.service.sessionCount == 2)
    withExtendedLifetime(bob) {}
    bob = nil
    try app.run { app.service.connectedSessions == 1 }
    let (_, page) = try app.viewer()
    #expect(try text(page, "field") == "apple")
    ann.say("[1,\"edit\",\(try annsPage.node("field")),0,5,\"pear\"]")
    try follow(app, ann, annsPage) { annsPage.acknowledged == 1 }
  }

  @Test(arguments: Host.allCases) func `a page waits while sessions that were left have not ended`(
    host: Host
  ) throws {
    let app = try app(host, viewers: 1)
    for _ in 0..<2 {
      do {
        let (client, page) = try app.viewer()
        client.say("[1,\"press\",\(try page.node("button", "spin"))]")
      }
      try app.run { app.service.connectedSessions == 0 }
    }
    let late = try RawClient(port: app.port)
    late.send(app.upgrade())
    _ = late.head()
    #expect(try app.receive(late) == nil)
    #expect(late.closing?.reason == PageRefusal.full.reason)
  }

  @Test func `an app that cannot be made says so to its viewer`() throws {
    var options = WebOptions()
    options.sessions = .private { throw TideError(.unexpected, "secret reason") }
    let app = try ServedApp("", options)
    let client = try RawClient(port: app.port)
    client.send(app.upgrade())
    _ = client.head()
    let message = try app.receive(client)
    #expect(message?.hasPrefix("[[\"end\"") == true)
    #expect(message?.contains("secret") == false)
  }

  @Test func `a host that decides is asked, in place of the token`() throws {
    var options = WebOptions()
    options.admits = { $0.header("X-User") == "ann" }
    let app = try ServedApp("show(view.label { text = 'hello' })", options)
    #expect(!app.service.url.contains("token"))
    for (user, status) in [("ann", "200"), ("eve", "403")] {
      let client = try RawClient(port: app.port)
      client.send(app.request("/", cookie: false, ["X-User: \(user)"]))
      #expect(client.head().hasPrefix("HTTP/1.1 \(status)"))
    }
    let client = try RawClient(port: app.port)
    client.send(app.upgrade(cookie: false))
    #expect(client.head().hasPrefix("HTTP/1.1 403"))
  }

  @Test func `who follows a link on another site is sent on once more`() throws {
    let app = try ServedApp("show(view.label { text = 'hello' })")
    let cross = ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate"]
    for (target, setsCookie) in [("/?token=\(app.token)", true), ("/", false)] {
      let client = try RawClient(port: app.port)
      client.send(app.request(target, cookie: false, cross))
      let head = client.head().lowercased()
      #expect(head.hasPrefix("http/1.1 200"))
      #expect(head.contains("refresh: 0; url=/\r\n"))
      #expect(head.contains("set-cookie:") == setsCookie)
    }
    let client = try RawClient(port: app.port)
    client.send(app.request("/", cookie: false))
    #expect(client.head().hasPrefix("HTTP/1.1 403"))
  }
}
