import Testing
import TideBindings
import WebClients

@testable import TideWeb

/// People whom a reverse proxy names.
@Suite(.serialized) struct TrustedHeaderTests {
  private func name(
    _ headers: [(String, String)], at address: String?, from peers: [String] = []
  ) throws -> String? {
    let request = WebRequest(
      target: "/", headers: headers.map { (name: $0.0, value: $0.1) }, address: address)
    return try TrustedHeader("X-User", from: peers).person(in: request)?.name
  }

  @Test(arguments: ["127.0.0.1", "127.8.9.1", "::1", "::ffff:127.0.0.1"])
  func `a proxy on this machine names whom it lets in`(address: String) throws {
    #expect(try name([("x-uSER", "ann")], at: address) == "ann")
    #expect(try name([("Accept", "*"), ("X-User", "Änne, B. <a@b>")], at: address) != nil)
    #expect(try name([("X-Users", "ann")], at: address) == nil)
    #expect(try name([], at: address) == nil)
  }

  @Test(arguments: ["192.0.2.7", "::ffff:192.0.2.7", "1270.0.0.1", "fe80::1", "", nil])
  func `whoever else names somebody is not believed`(address: String?) throws {
    #expect(try name([("X-User", "ann")], at: address) == nil)
  }

  @Test func `a proxy elsewhere is believed where it is named, and then no other one`() throws {
    let peers = ["192.0.2.7", "2001:DB8::0:7"]
    for address in ["192.0.2.7", "::ffff:192.0.2.7", "2001:db8::7"] {
      #expect(try name([("X-User", "ann")], at: address, from: peers) == "ann")
    }
    for address in ["127.0.0.1", "192.0.2.70", "2001:db8::70"] {
      #expect(try name([("X-User", "ann")], at: address, from: peers) == nil)
    }
  }

  @Test(arguments: [
    "", " ", "a\u{1}b", "a\u{7F}", "a\u{85}", "ann\u{200B}", "ann\u{202E}", "a\u{AD}nn",
    "\u{FEFF}ann", "a\u{2028}b", "a\u{2029}b", String(repeating: "x", count: 257),
  ])
  func `what is no name lets nobody in`(value: String) throws {
    #expect(try name([("X-User", value)], at: "127.0.0.1") == nil)
  }

  @Test func `two headers, of which a browser may have sent one, let nobody in`() throws {
    #expect(try name([("X-User", "ann"), ("x-user", "eve")], at: "127.0.0.1") == nil)
    #expect(try name([("X-User", "ann"), ("X-User", "ann")], at: "127.0.0.1") == nil)
  }

  @Test func `what is no header or no address is refused at the start`() {
    for name in ["", "X User", "X-User:", "X-\u{E4}", "X\r\nY"] {
      #expect(throws: TideError.self) { try TrustedHeader(name, from: []) }
    }
    for peer in ["", "proxy", "10.0.0", "10.0.0.0/8"] {
      #expect(throws: TideError.self) { try TrustedHeader("X-User", from: [peer]) }
    }
  }

  @Test func `it stands in place of the token`() throws {
    var options = WebOptions()
    options.trustedHeader = "X-User"
    let app = try ServedApp.fruit(options)
    #expect(!app.service.url.contains("token"))
    for (lines, status) in [
      (["X-User: ann"], "200"), ([], "403"), (["X-User: ann", "X-User: eve"], "403"),
      (["X-User:"], "403"), (["X-Forwarded-User: ann"], "403"),
    ] {
      let client = try RawClient(port: app.port)
      client.send(app.request("/", cookie: false, lines))
      #expect(client.head().hasPrefix("HTTP/1.1 \(status)"), "\(lines)")
    }
    let page = try app.viewer(["X-User: ann"])
    #expect(page.mirror.session != nil)
    options.trustedPeers = ["192.0.2.7"]
    let other = try ServedApp.fruit(options)
    let client = try RawClient(port: other.port)
    client.send(other.request("/", cookie: false, ["X-User: ann"]))
    #expect(client.head().hasPrefix("HTTP/1.1 403"))
  }
}
