import Testing
import TideBindings
import TideScript
import TideSystem
import TideValues
import WebClients

@testable import TideWeb

@Suite(.serialized) struct PrivateSessionsTests {
  /// What runs the app of a session.
  enum Host: CaseIterable {
    case thread, worker
  }

  /// How many apps were made.
  let made = Guarded(0)

  /// An app of which each person has one of their own.
  ///
  /// - Parameters:
  ///   - clock: by which sessions are idle; nil for the system's.
  ///   - admits: lets people in, in place of the token.
  func app(
    _ host: Host, viewers: Int = 8, idle: Double = 60, clock: VirtualClock? = nil,
    admits: (@Sendable (WebRequest) async -> WebPerson?)? = nil
  ) throws -> ServedApp {
    let models = SharedModels()
    var options = WebOptions(viewers: viewers)
    options.idle = idle
    options.admits = admits
    if host == .worker {
      return try ServedApp(
        "", options, workers: WorkerOptions(turn: 5, shared: models) { _, _, _ in }, clock: clock
      ) {
        $0.startWorker = ThreadedWorker.starter { [made] _, shared in
          made.withLock { $0 += 1 }
          return PrivateApp(try Self.runtime(shared))
        }
      }
    }
    options.sessions = .private { [made] in
      made.withLock { $0 += 1 }
      return try Self.runtime(models)
    }
    return try ServedApp("", options, clock: clock)
  }

  /// Types into the field of a page that has sent nothing yet, and waits until that is done.
  func type(
    _ text: String, over length: Int = 5, in page: (client: RawClient, mirror: PageMirror),
    of app: ServedApp
  ) throws {
    page.client.say("[1,\"edit\",\(try page.mirror.node("field")),0,\(length),\"\(text)\"]")
    try follow(app, page.client, page.mirror) { page.mirror.acknowledged == 1 }
  }

  /// Closes a page, as a browser does.
  func leave(_ page: (client: RawClient, mirror: PageMirror), _ app: ServedApp) throws {
    let connected = app.service.connectedSessions
    page.client.send(RawClient.frame([], opcode: 8))
    #expect(try app.run { app.service.connectedSessions < connected })
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

  func text(_ mirror: PageMirror, _ name: String) throws -> String? {
    var rest = [try #require(mirror.root)]
    while let node = rest.popLast() {
      if node.className == name { return node.properties["text"]?.text }
      rest += node.children
    }
    return nil
  }

  /// Takes messages until a condition holds.
  func follow(
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
    let (bob, bobsPage) = try app.viewer(in: app.address.another)
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
  func `a page that is loaded again shows the same app, on another page`(host: Host) throws {
    let app = try app(host)
    let first = try app.viewer()
    try type("pear", in: first, of: app)
    try leave(first, app)
    let again = try app.viewer()
    #expect(try text(again.mirror, "field") == "pear")
    #expect(again.mirror.session != first.mirror.session)
    #expect(again.mirror.acknowledged == 0)
    #expect(made.withLock { $0 } == 1)
    // Back: a page that was put away knows its name still.
    let back = try app.viewer(session: try #require(first.mirror.session))
    #expect(back.mirror.session == first.mirror.session)
    #expect(back.mirror.acknowledged == 1)
    #expect(app.service.sessionCount == 1)
    withExtendedLifetime(again) {}
  }

  @Test(arguments: Host.allCases)
  func `two tabs show one app, each with a focus of its own`(host: Host) throws {
    let app = try app(host)
    let one = try app.viewer()
    let other = try app.viewer()
    #expect(app.service.sessionCount == 1)
    #expect(one.mirror.session != other.mirror.session)
    one.client.say("[1,\"focus\",\(try one.mirror.node("field"))]")
    one.client.say("[2,\"edit\",\(try one.mirror.node("field")),0,5,\"pear\"]")
    try follow(app, other.client, other.mirror) { try text(other.mirror, "field") == "pear" }
    try follow(app, one.client, one.mirror) { one.mirror.acknowledged == 2 }
    let focus = one.mirror.focus
    other.client.say("[1,\"focus\",\(try other.mirror.node("button", "spin"))]")
    other.client.say("[2,\"press\",\(try other.mirror.node("button", "bite"))]")
    try follow(app, one.client, one.mirror) { try text(one.mirror, "label") == "pear" }
    #expect(one.mirror.focus == focus)
    // It goes on for the one that is left.
    one.client.send(RawClient.frame([], opcode: 8))
    other.client.say("[3,\"edit\",\(try other.mirror.node("field")),0,4,\"plum\"]")
    try follow(app, other.client, other.mirror) { other.mirror.acknowledged == 3 }
    #expect(made.withLock { $0 } == 1)
  }

  @Test func `an app goes on as long as it may be idle, and no longer`() throws {
    let clock = VirtualClock()
    let app = try app(.thread, idle: 1e6, clock: clock)
    let first = try app.viewer()
    try type("pear", in: first, of: app)
    try leave(first, app)
    app.runtime.loop.advance(by: 0.9e6)
    let second = try app.viewer()
    #expect(try text(second.mirror, "field") == "pear")
    #expect(made.withLock { $0 } == 1)
    // A page that is there keeps it, however long.
    app.runtime.loop.advance(by: 1e7)
    try type("plum", over: 4, in: second, of: app)
    try leave(second, app)
    app.runtime.loop.advance(by: 0.9e6)
    #expect(app.service.sessionCount == 1)
    app.runtime.loop.advance(by: 0.2e6)
    #expect(try app.run { app.service.sessionCount == 0 })
    // Another one begins with what the models had.
    let third = try app.viewer()
    #expect(try text(third.mirror, "field") == "plum")
    #expect(made.withLock { $0 } == 2)
    #expect(third.mirror.session != second.mirror.session)
    let stranger = try app.viewer(in: app.address.another)
    #expect(try text(stranger.mirror, "field") == "apple")
  }

  @Test(arguments: Host.allCases) func `an app that has ended itself begins anew when it is loaded`(
    host: Host
  ) throws {
    let app = try app(host)
    let first = try app.viewer()
    try type("pear", in: first, of: app)
    first.client.say("[2,\"press\",\(try first.mirror.node("button", "end"))]")
    while try app.receive(first.client) != nil {}
    #expect(try app.run { app.service.sessionCount == 0 })
    let again = try app.viewer()
    #expect(try text(again.mirror, "field") == "apple")
  }

  @Test(arguments: Host.allCases)
  func `all pages of a browser together have its share of the places`(host: Host) throws {
    let app = try app(host, viewers: 8)
    let pages = try (0..<4).map { _ in try app.viewer() }
    #expect(app.service.sessionCount == 1)
    let fifth = try RawClient(port: app.port)
    fifth.send(app.upgrade(page: try app.script()))
    _ = fifth.head()
    #expect(fifth.message() == nil)
    #expect(fifth.closing?.reason == PageRefusal.overShare.reason)
    let others = try (0..<4).map { _ in try app.viewer(in: app.address.another) }
    #expect(app.service.sessionCount == 5)
    withExtendedLifetime((pages, others)) {}
  }

  // MARK: Whose it is

  @Test(arguments: Host.allCases)
  func `a session belongs to a person, whichever browser they use`(host: Host) throws {
    let app = try app(host) { $0.header("X-User").map { WebPerson($0) } }
    let ann = try app.viewer(["X-User: ann"])
    try type("pear", in: ann, of: app)
    // Two people with one browser, whose cookie says nothing of them.
    let browser = ["Cookie: tidelock-\(app.port)=\(String(repeating: "0", count: 58))"]
    let bob = try app.viewer(["X-User: bob"] + browser)
    #expect(try text(bob.mirror, "field") == "apple")
    // One person with two browsers.
    let elsewhere = try app.viewer(["X-User: ann"] + browser)
    #expect(try text(elsewhere.mirror, "field") == "pear")
    // The name of somebody else's page is of no use.
    let eve = try app.viewer(session: try #require(ann.mirror.session), ["X-User: eve"])
    #expect(try text(eve.mirror, "field") == "apple")
    #expect(eve.mirror.session != ann.mirror.session)
    #expect(app.service.sessionCount == 3)
    let nobody = try RawClient(port: app.port)
    nobody.send(app.upgrade(session: try #require(ann.mirror.session)))
    #expect(nobody.head().hasPrefix("HTTP/1.1 403"))
  }

  @Test(arguments: Host.allCases)
  func `two people whose names only look the same have two sessions`(host: Host) throws {
    let app = try app(host) { $0.header("X-User").map { WebPerson($0) } }
    let one = try app.viewer(["X-User: Ren\u{E9}e"])
    try type("pear", in: one, of: app)
    let other = try app.viewer(["X-User: Rene\u{301}e"])
    #expect(try text(other.mirror, "field") == "apple")
    #expect(app.service.sessionCount == 2)
  }

  @Test(arguments: Host.allCases) func `a script that never returns keeps nobody else`(host: Host)
    throws
  {
    let app = try app(host)
    let (ann, annsPage) = try app.viewer()
    let (bob, bobsPage) = try app.viewer(in: app.address.another)
    ann.say("[1,\"press\",\(try annsPage.node("button", "spin"))]")
    bob.say("[1,\"edit\",\(try bobsPage.node("field")),0,5,\"pear\"]")
    try follow(app, bob, bobsPage) { bobsPage.acknowledged == 1 }
  }

  @Test(arguments: Host.allCases) func `an app that ends itself ends for its viewer alone`(
    host: Host
  ) throws {
    let app = try app(host)
    let (ann, annsPage) = try app.viewer()
    let (bob, bobsPage) = try app.viewer(in: app.address.another)
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
    var bob: RawClient? = try app.viewer(in: app.address.another).client
    #expect(app.service.sessionCount == 2)
    withExtendedLifetime(bob) {}
    bob = nil
    try app.run { app.service.connectedSessions == 1 }
    let (_, page) = try app.viewer(in: app.address.another)
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
        let (client, page) = try app.viewer(in: app.address.another)
        client.say("[1,\"press\",\(try page.node("button", "spin"))]")
      }
      try app.run { app.service.connectedSessions == 0 }
    }
    let late = try RawClient(port: app.port)
    late.send(app.address.another.upgrade())
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
}
