import Testing
import TideBindings
import TideRun
import TideScript
import TideSystem
import TideViews
import WebClients

@testable import TideWeb

/// Who may come in, and what the others are told.
@Suite(.serialized) struct AdmissionTests {
  @Test func `without the token nothing is given`() throws {
    let app = try ServedApp.fruit()
    for uri in [
      "/", "/ws", "/client.js", "/?token=", "/?token=\(String(repeating: "0", count: 32))",
    ] {
      let client = try RawClient(port: app.port)
      client.send(app.request(uri, cookie: false))
      #expect(client.head().hasPrefix("HTTP/1.1 403"), "\(uri)")
    }
    let client = try RawClient(port: app.port)
    client.send(app.upgrade(cookie: false))
    #expect(client.head().hasPrefix("HTTP/1.1 403"))
  }

  @Test(arguments: ["http://evil.example", "null", "https://127.0.0.1", ""])
  func `a page of somebody else cannot connect`(origin: String) throws {
    let app = try ServedApp.fruit()
    let client = try RawClient(port: app.port)
    client.send(app.upgrade(origin: origin))
    #expect(client.head().hasPrefix("HTTP/1.1 403"))
  }

  @Test func `the token is exchanged for a cookie that scripts cannot read`() throws {
    let app = try ServedApp.fruit()
    let client = try RawClient(port: app.port)
    client.send(app.request("/?token=\(app.token)", cookie: false))
    let head = client.head().lowercased()
    #expect(head.hasPrefix("http/1.1 303"))
    #expect(head.contains("httponly; samesite=strict"))
    #expect(head.contains("location: /\r\n"))
  }

  @Test func `a page may run no script but the server's`() throws {
    let app = try ServedApp.fruit()
    let client = try RawClient(port: app.port)
    client.send(app.request("/", ["Connection: close"]))
    let answer = client.rest().lowercased()
    let policy = try #require(answer.firstMatch(of: /content-security-policy: ([^\r]*)/)).output.1
    #expect(policy.contains("default-src 'none'") && policy.contains("script-src 'self'"))
    #expect(policy.contains("frame-ancestors 'none'") && !policy.contains("unsafe-inline"))
    #expect(answer.contains("x-content-type-options: nosniff"))
  }

  @Test func `only so many viewers are let in`() throws {
    let app = try ServedApp.fruit(viewers: 2)
    let first = try app.viewer()
    let second = try app.viewer()
    let client = try RawClient(port: app.port)
    client.send(app.upgrade())
    #expect(client.head().hasPrefix("HTTP/1.1 503"))
    withExtendedLifetime((first, second)) {}
  }

  /// How a page is answered that asks for a connection.
  private func refusal(
    _ app: ServedApp, cookie: Bool = true, page: String
  ) throws -> (code: Int, reason: String)? {
    let client = try RawClient(port: app.port)
    client.send(app.upgrade(cookie: cookie, page: page))
    #expect(client.head().hasPrefix("HTTP/1.1 101"))
    #expect(client.message() == nil)
    #expect(client.isClosed)
    return client.closing
  }

  @Test func `a page hears why it may not come in, and nothing else`() throws {
    let app = try ServedApp.fruit(viewers: 1)
    let script = try app.script()
    let stranger = try refusal(app, cookie: false, page: script)
    #expect(stranger?.code == 4000)
    #expect(stranger?.reason.contains("open the address that it has printed") == true)
    let old = try refusal(app, page: "http://127.0.0.1:\(app.port)/client-0.js")
    #expect(old?.code == 4001)
    let viewer = try app.viewer()
    let late = try refusal(app, page: script)
    #expect(late?.reason.contains("comes in when another one leaves") == true)
    #expect(app.service.renderer.viewerCount == 1)
    withExtendedLifetime(viewer) {}
  }

  @Test func `a page comes in when another one leaves`() throws {
    let app = try ServedApp.fruit(viewers: 1)
    let script = try app.script()
    var first: RawClient? = try app.viewer().client
    #expect(try refusal(app, page: script)?.code == 4000)
    first?.send(RawClient.frame([], opcode: 8))
    first = nil
    #expect(try app.run { app.service.renderer.viewerCount == 0 })
    let client = try RawClient(port: app.port)
    client.send(app.upgrade(page: script))
    #expect(client.head().hasPrefix("HTTP/1.1 101"))
    #expect(try app.receive(client)?.hasPrefix("[[\"hello\"") == true)
  }

  @Test func `a page that the host does not let in hears that`() throws {
    var options = WebOptions()
    options.admits = { $0.header("x-user") == "ann" }
    let app = try ServedApp.fruit(options)
    #expect(try refusal(app, page: "/client-0.js")?.reason.contains("does not let you in") == true)
  }

  @Test func `to say that one is a page of the server's does not help a foreign one`() throws {
    let app = try ServedApp.fruit()
    let client = try RawClient(port: app.port)
    client.send(app.upgrade(origin: "http://evil.example", page: try app.script()))
    #expect(client.head().hasPrefix("HTTP/1.1 403"))
  }

  @Test func `what is no handshake at the place of connections is told so`() throws {
    let app = try ServedApp.fruit()
    for text in [
      app.request("/ws", ["Origin: http://127.0.0.1:\(app.port)"]),
      app.upgrade().replacing("Version: 13", with: "Version: 8"),
    ] {
      let client = try RawClient(port: app.port)
      client.send(text)
      #expect(client.head().hasPrefix("HTTP/1.1 4"))
    }
  }

  @Test func `more viewers than the system allows sockets are refused`() {
    let error = #expect(throws: TideError.self) { try WebService(WebOptions(viewers: 1 << 30)) }
    #expect(error?.code == .serving)
    #expect(error?.message.contains("ulimit -n") == true)
  }
}
