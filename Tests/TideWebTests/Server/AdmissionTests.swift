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
    #expect(!head.contains(app.token))
  }

  @Test func `a browser that opens the address again keeps its cookie`() throws {
    let app = try ServedApp.fruit()
    let client = try RawClient(port: app.port)
    client.send(app.request("/?token=\(app.token)"))
    let head = client.head()
    #expect(head.hasPrefix("HTTP/1.1 303") && !head.contains("set-cookie"))
  }

  @Test func `the cookie is no token, and another server's is no cookie`() throws {
    let app = try ServedApp.fruit()
    let other = try ServedApp.fruit()
    for cookie in [app.token, String(other.address.cookie.drop { $0 != "=" }.dropFirst())] {
      let client = try RawClient(port: app.port)
      client.send(
        app.request("/", cookie: false, ["Cookie: tidelock-\(app.port)=\(cookie)"]))
      #expect(client.head().hasPrefix("HTTP/1.1 403"))
    }
  }

  @Test(arguments: [
    ("/?utm_source=mail&token=TOKEN", "/?utm_source=mail"),
    ("/?token=TOKEN&utm_source=mail&b=%2F%3D&c", "/?utm_source=mail&b=%2F%3D&c"),
    ("/?token=TOKEN&token=other", "/"), ("/?token=TOKEN&a=<b>&c=1", "/?c=1"),
  ])
  func `the token stands anywhere in the query, the rest of which stays`(
    uri: String, location: String
  ) throws {
    let app = try ServedApp.fruit()
    let client = try RawClient(port: app.port)
    client.send(app.request(uri.replacing("TOKEN", with: app.token), cookie: false))
    let head = client.head()
    #expect(head.hasPrefix("HTTP/1.1 303"))
    #expect(head.contains("location: \(location)\r\n"), "\(head)")
  }

  @Test(arguments: [
    "//evil.example/", "/\\evil.example", "/%5Cevil.example", "///evil", "/.//evil.example",
    "http://evil.example/", "/ws", "/client.js", "/inspect/../", "/nothing",
  ])
  func `an address that is no page's leads nowhere, with the token too`(path: String) throws {
    let app = try ServedApp.fruit()
    for more in [[], ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate"]] {
      for cookie in [true, false] {
        let client = try RawClient(port: app.port)
        client.send(app.request("\(path)?token=\(app.token)", cookie: cookie, more))
        let head = client.head().lowercased()
        #expect(head.hasPrefix("http/1.1 4"), "\(head)")
        #expect(!head.contains("location:") && !head.contains("refresh:"), "\(head)")
      }
    }
  }

  @Test func `who comes by a link on another site is sent on to the page alone`() throws {
    let app = try ServedApp.fruit()
    let client = try RawClient(port: app.port)
    client.send(
      app.request(
        "/?a=1;url=//evil.example&b=2&token=\(app.token)", cookie: false,
        ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate"]))
    let head = client.head()
    let onward = "/?a=1;url=//evil.example&b=2&token=\(app.token)"
    #expect(head.contains("refresh: 0; url=\(onward)\r\n"), "\(head)")
    // The token is exchanged then, when a cookie that is there is to be seen.
    #expect(!head.contains("set-cookie: "))
    let again = try RawClient(port: app.port)
    again.send(app.request(onward, cookie: false))
    let answer = again.head()
    #expect(answer.contains("location: /?a=1;url=//evil.example&b=2\r\n"), "\(answer)")
    #expect(answer.contains("set-cookie: "))
  }

  @Test func `who asks for the head alone gets no cookie, and spends no token`() throws {
    let app = try ServedApp.fruit()
    let url = app.service.oneTimeURL
    let uri = "/" + url.drop { $0 != "?" }
    func head(_ method: String) throws -> String {
      let client = try RawClient(port: app.port)
      client.send(app.request(uri, cookie: false).replacing("GET", with: method))
      return client.head()
    }
    for _ in 0..<2 {
      let answer = try head("HEAD")
      #expect(answer.hasPrefix("HTTP/1.1 303") && !answer.contains("set-cookie"))
    }
    let answer = try head("GET")
    #expect(answer.hasPrefix("HTTP/1.1 303") && answer.contains("set-cookie"))
    #expect(try head("GET").hasPrefix("HTTP/1.1 403"))
    #expect(try head("HEAD").hasPrefix("HTTP/1.1 403"))
  }

  @Test func `a browser takes its share of the places, and others come in`() throws {
    let app = try ServedApp.fruit()
    let greedy = try (0..<8).map { _ in try app.viewer() }
    let client = try RawClient(port: app.port)
    client.send(app.upgrade())
    #expect(client.head().hasPrefix("HTTP/1.1 503"))
    #expect(try refusal(app, page: try app.script())?.reason.contains("its share") == true)
    let other = try RawClient(port: app.port)
    other.send(app.address.another.upgrade())
    #expect(other.head().hasPrefix("HTTP/1.1 101"))
    greedy[0].client.send(RawClient.frame([], opcode: 8))
    #expect(try app.run { app.service.renderer.viewerCount == 8 })
    let again = try app.viewer()
    withExtendedLifetime((greedy, again)) {}
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
    options.admits = { $0.header("x-user") == "ann" ? WebPerson("ann") : nil }
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
