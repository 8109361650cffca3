import Testing
import TideBindings
import TideScript
import TideSystem
import TideValues
import WebClients

@testable import TideWeb

// The people and browsers that a host lets in.
extension PrivateSessionsTests {
  @Test func `who is let in without a name has a session by the browser's cookie`() throws {
    let app = try app(.thread) { _ in WebPerson() }
    func load(_ lines: [String]) throws -> String? {
      let client = try RawClient(port: app.port)
      client.send(app.request("/", cookie: false, lines))
      let head = client.head()
      #expect(head.hasPrefix("HTTP/1.1 200"))
      return head.firstMatch(of: /set-cookie: ([^;]+);/).map { String($0.output.1) }
    }
    let cookie = try #require(try load([]))
    #expect(try load(["Cookie: \(cookie)"]) == nil)
    let first = try app.viewer(["Cookie: \(cookie)"])
    try type("pear", in: first, of: app)
    let second = try app.viewer(["Cookie: \(cookie)"])
    #expect(try text(second.mirror, "field") == "pear")
    // One that is cut, forged or of another server is none: a new one, and a new app.
    let other = try ServedApp.fruit()
    let value = cookie.drop { $0 != "=" }.dropFirst()
    let foreign = other.address.cookie.drop { $0 != "=" }.dropFirst()
    let forged = String(value.reversed())
    for wrong in [String(value.dropLast()), String(foreign), forged, "", String(value) + "0"] {
      let line = ["Cookie: tidelock-\(app.port)=\(wrong)"]
      let given = try #require(try load(line))
      #expect(given != cookie)
      let page = try app.viewer(line)
      #expect(try text(page.mirror, "field") == "apple", "\(wrong)")
    }
    // A browser that keeps its cookie back, as after a link on another site, is not given another.
    let client = try RawClient(port: app.port)
    client.send(
      app.request("/", cookie: false, ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate"]))
    let head = client.head()
    #expect(head.contains("refresh: 0; url=/\r\n") && !head.contains("set-cookie"), "\(head)")
  }

  @Test func `who is not let in any more has no access`() throws {
    let admitted = Guarded(Set(["ann"]))
    let app = try app(.thread) { request in
      guard let name = request.header("X-User"), admitted.withLock({ $0.contains(name) }) else {
        return nil
      }
      return WebPerson(name)
    }
    let ann = try app.viewer(["X-User: ann"])
    try type("pear", in: ann, of: app)
    let script = try app.script(["X-User: ann"])
    admitted.withLock { $0 = [] }
    let late = try RawClient(port: app.port)
    late.send(
      app.address.upgrade(
        session: try #require(ann.mirror.session), page: script, ["X-User: ann"]))
    _ = late.head()
    #expect(late.message() == nil)
    #expect(late.closing?.reason == PageRefusal.notLetIn.reason)
    admitted.withLock { $0 = ["ann"] }
    let again = try app.viewer(["X-User: ann"])
    #expect(try text(again.mirror, "field") == "pear")
  }

  @Test func `a host that decides is asked, in place of the token`() throws {
    var options = WebOptions()
    options.admits = { $0.header("X-User") == "ann" ? WebPerson("ann") : nil }
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
    // A cookie that its browser keeps back until then is not replaced.
    for target in ["/?token=\(app.token)", "/"] {
      let client = try RawClient(port: app.port)
      client.send(app.request(target, cookie: false, cross))
      let head = client.head().lowercased()
      #expect(head.hasPrefix("http/1.1 200"))
      #expect(head.contains("refresh: 0; url=\(target)\r\n"))
      #expect(!head.contains("set-cookie:"))
    }
    let client = try RawClient(port: app.port)
    client.send(app.request("/", cookie: false))
    #expect(client.head().hasPrefix("HTTP/1.1 403"))
  }
}
