import Testing
import TideBindings
import TideScript
import WebClients

@testable import TideWeb

// Pages that come back when their app has ended and begun again meanwhile.
extension PrivateSessionsTests {
  @Test(arguments: [true, false])
  func `a page finds its session that was ended and resumed twice while its line was lost`(
    isOfBrowser: Bool
  ) throws {
    let app =
      try isOfBrowser
      ? app(.thread, idle: 0.05) : app(.thread, idle: 0.05) { _ in WebPerson() }
    var session = ""
    do {
      let first = try app.viewer()
      try type("pear", in: first, of: app)
      session = try #require(first.mirror.session)
    }
    for _ in 0..<2 {
      #expect(try app.run { app.service.sessionCount == 0 })
      // It hears nothing of the name that the session gives it now.
      let client = try RawClient(port: app.port)
      client.send(app.upgrade(session: session))
      _ = client.head()
      #expect(try app.run { app.service.sessionCount == 1 })
    }
    #expect(try app.run { app.service.sessionCount == 0 })
    let (client, page) = try app.viewer(session: session)
    #expect(try text(page, "field") == "pear")
    #expect(made.withLock { $0 } == 4)
    #expect(try !hears("begun anew", client, page, app))
  }

  /// Whether a page is told something before it is told that an act of its own is done, which it
  /// has to be.
  private func hears(
    _ text: String, _ client: RawClient, _ page: PageMirror, _ app: ServedApp
  ) throws -> Bool {
    let act = page.acknowledged + 1
    client.say("[\(act),\"focus\",\(try page.node("field"))]")
    try follow(app, client, page) { page.acknowledged == act }
    return page.notices.contains { $0.contains(text) }
  }

  @Test(arguments: Host.allCases)
  func `a page is told that its app begins without what it held, and a new page is not`(
    host: Host
  ) throws {
    let app = try app(host)
    // One that was open before the server was started again.
    let former = try app.viewer(session: "0123456789abcdef")
    #expect(try hears("begun anew: what it did not keep", former.client, former.mirror, app))
    let other = app.address.another
    let new = try app.viewer(in: other)
    #expect(try !hears("begun anew", new.client, new.mirror, app))
  }
}
