import NIOHTTP1
import Testing
import TideValues

@testable import TideWeb

@Suite struct RequestRulesTests {
  private let rules = RequestRules(
    origins: ["127.0.0.1:80": "http://127.0.0.1:80", "localhost:80": "http://localhost:80"],
    viewers: viewers, inspector: inspector)
  private static let viewers = Admission(cookie: "tidelock-80", kept: kept)
  private static let inspector = Admission(
    cookie: "tidelock-inspect-80", kept: KeptToken(token: "other", key: "another key"))
  private static let kept = KeptToken(token: "secret", key: "key")
  private static let value = viewers.makeCookie()

  /// - Parameter cookie: with the value of one that the server gave in place of VALUE.
  private func head(
    _ uri: String = "/", host: String? = "127.0.0.1:80", cookie: String? = "tidelock-80=VALUE",
    origin: String? = "http://127.0.0.1:80", method: HTTPMethod = .GET
  ) -> HTTPRequestHead {
    var headers: HTTPHeaders = [:]
    if let host { headers.add(name: "host", value: host) }
    if let cookie {
      headers.add(name: "cookie", value: cookie.replacing("VALUE", with: Self.value))
    }
    if let origin { headers.add(name: "origin", value: origin) }
    return HTTPRequestHead(version: .http1_1, method: method, uri: uri, headers: headers)
  }

  private func isAllowed(_ head: HTTPRequestHead) -> Bool {
    isAllowed(rules.verdict(on: head, needsOrigin: true))
  }

  private func isAllowed(_ verdict: RequestRules.Verdict) -> Bool {
    if case .allowed = verdict { true } else { false }
  }

  private func givesCookie(_ verdict: RequestRules.Verdict) -> Bool {
    if case .newcomer(_?) = verdict { true } else { false }
  }

  @Test func `its own page is answered`() {
    #expect(isAllowed(head()))
    #expect(isAllowed(head(cookie: "a=b; tidelock-80=VALUE; c=d")))
    #expect(isAllowed(head(host: "LOCALHOST:80", origin: "http://localhost:80")))
    #expect(isAllowed(rules.verdict(on: head(origin: nil), needsOrigin: false)))
  }

  @Test func `another name, origin or cookie is refused`() {
    #expect(!isAllowed(head(host: "evil.example:80")))
    #expect(!isAllowed(head(host: nil)))
    #expect(!isAllowed(head(origin: "http://evil.example")))
    #expect(!isAllowed(head(origin: "null")))
    #expect(!isAllowed(head(origin: nil)))
    #expect(!isAllowed(head(origin: "http://localhost:80")))
    #expect(!isAllowed(head(origin: "https://127.0.0.1:80")))
    #expect(!isAllowed(head(cookie: nil)))
    #expect(!isAllowed(head(cookie: "tidelock-81=VALUE")))
    #expect(!isAllowed(head(cookie: "tidelock-80=VALUE2")))
    #expect(!isAllowed(head(cookie: "tidelock-80=0VALUE")))
    #expect(!isAllowed(head(cookie: "tidelock-80=secret")))
    #expect(!isAllowed(head(cookie: "tidelock-80=")))
    #expect(!isAllowed(head(method: .POST)))
  }

  @Test(arguments: [
    ("transfer-encoding", "chunked"), ("transfer-encoding", "xchunked"),
    ("transfer-encoding", "identity"), ("content-length", "5"), ("content-length", "00"),
  ])
  func `a request that announces a body is refused before it is answered`(
    name: String, value: String
  ) {
    var head = head()
    head.headers.add(name: name, value: value)
    let verdict = rules.verdict(on: head, needsOrigin: false)
    #expect(verdict == .refused(.badRequest, "No request here has a body."))
  }

  @Test(arguments: [
    [""], ["x"], ["dGhlIHNhbXBsZSBub25jZQ"], ["dGhlIHNhbXBsZSBub25jZQ===="],
    ["dGhlIHNhbXBsZSBub25jZ==="], ["dGhlIHNhbXBsZSBub25j!Q=="], ["dGhlIHNhbXBsZSBub25jZQ= ="],
    ["dGhlIHNhbXBsZSBub25jZQ==", "dGhlIHNhbXBsZSBub25jZQ=="],
  ])
  func `a connection whose key is not 16 bytes is refused`(keys: [String]) {
    var head = head()
    for key in keys { head.headers.add(name: "sec-websocket-key", value: key) }
    let verdict = rules.verdict(on: head, needsOrigin: true)
    #expect(verdict == .refused(.badRequest, "Sec-WebSocket-Key has to be 16 bytes as Base64."))
  }

  @Test func `a connection with a key of 16 bytes is answered`() {
    var head = head()
    head.headers.add(name: "sec-websocket-key", value: "dGhlIHNhbXBsZSBub25jZQ==")
    #expect(isAllowed(head))
  }

  @Test func `a request without a body may say so`() {
    var head = head()
    head.headers.add(name: "content-length", value: "0")
    #expect(isAllowed(head))
  }

  @Test func `who has no cookie is a stranger, but on a page of somebody else it is refused`() {
    for cookie in [nil, "tidelock-80=former", "tidelock-81=VALUE"] {
      #expect(rules.verdict(on: head(cookie: cookie), needsOrigin: true) == .stranger)
      let foreign = head(cookie: cookie, origin: "http://evil.example")
      #expect(rules.verdict(on: foreign, needsOrigin: true) != .stranger)
    }
  }

  @Test func `two hosts or two origins are none`() {
    var twice = head()
    twice.headers.add(name: "host", value: "127.0.0.1:80")
    #expect(!isAllowed(twice))
    twice = head()
    twice.headers.add(name: "origin", value: "http://127.0.0.1:80")
    #expect(!isAllowed(twice))
  }

  @Test func `a server of all addresses goes by their numbers, and by no other name`() {
    var rules = rules
    rules.anyAddress = .init(port: 80, scheme: "http")
    for host in ["10.0.0.7:80", "[fe80::1]:80", "127.0.0.1:80"] {
      let head = head(host: host, origin: "http://\(host)")
      #expect(isAllowed(rules.verdict(on: head, needsOrigin: true)), "\(host)")
    }
    for host in ["evil.example:80", "10.0.0.7:81", "10.0.0.7", "10.0.0.7.evil.example:80"] {
      let head = head(host: host, origin: "http://\(host)")
      #expect(!isAllowed(rules.verdict(on: head, needsOrigin: true)), "\(host)")
    }
  }

  @Test func `the token in the address admits, and a guess does not`() {
    #expect(givesCookie(rules.verdict(on: head("/?token=secret", cookie: nil), needsOrigin: false)))
    for guess in ["", "secre", "secrets", "SECRET", "secret%00"] {
      let verdict = rules.verdict(on: head("/?token=\(guess)"), needsOrigin: false)
      guard case .refused = verdict else {
        Issue.record("\(guess)")
        continue
      }
    }
  }

  @Test func `a token for one admits one`() {
    let viewers = Admission(cookie: "tidelock-80")
    let rules = RequestRules(origins: rules.origins, viewers: viewers)
    let head = head("/?token=\(viewers.oneTime.text)", cookie: nil)
    #expect(givesCookie(rules.verdict(on: head, needsOrigin: false)))
    #expect(!givesCookie(rules.verdict(on: head, needsOrigin: false)))
  }

  @Test func `viewers may not look into the app, and who looks into it is no viewer`() {
    let inspects = Self.inspector.makeCookie()
    for (uri, isViewers) in [
      ("/", true), ("/ws", true), ("/inspect", false), ("/inspect/ws", false),
    ] {
      let viewer = head(uri)
      let developer = head(uri, cookie: "tidelock-inspect-80=\(inspects)")
      #expect(isAllowed(rules.verdict(on: viewer, needsOrigin: true)) == isViewers, "\(uri)")
      #expect(isAllowed(rules.verdict(on: developer, needsOrigin: true)) != isViewers, "\(uri)")
    }
    let address = head("/inspect?token=secret", cookie: nil)
    #expect(!givesCookie(rules.verdict(on: address, needsOrigin: false)))
    let own = head("/inspect?token=other", cookie: nil)
    #expect(givesCookie(rules.verdict(on: own, needsOrigin: false)))
    #expect(!givesCookie(rules.verdict(on: head("/?token=other", cookie: nil), needsOrigin: false)))
    // Both kinds of pages have the same script.
    let script = head("/client-1.js", cookie: "tidelock-inspect-80=\(inspects)")
    #expect(isAllowed(rules.verdict(on: script, needsOrigin: false)))
  }

  @Test func `each browser has a name of its own`() throws {
    let names = try (0..<3).map { _ in
      let headers: HTTPHeaders = ["cookie": "tidelock-80=\(Self.viewers.makeCookie())"]
      return try #require(Self.viewers.browser(in: headers))
    }
    #expect(Set(names).count == 3)
  }

  @Test func `where the host decides, it is asked about what comes from no other page`() {
    var rules = rules
    rules.admits = { _ in WebPerson("ann") }
    // It knows nothing of developers.
    #expect(rules.verdict(on: head("/inspect", cookie: nil), needsOrigin: true) == .stranger)
    #expect(rules.verdict(on: head(cookie: nil), needsOrigin: true) == .undecided)
    #expect(
      rules.verdict(on: head(cookie: nil, origin: "http://evil.example"), needsOrigin: true)
        != .undecided)
    #expect(rules.verdict(on: head(host: "evil.example"), needsOrigin: false) != .undecided)
    // Developers have the script of their pages.
    let script = head("/client-1.js", cookie: "tidelock-inspect-80=\(Self.inspector.makeCookie())")
    #expect(isAllowed(rules.verdict(on: script, needsOrigin: false)))
  }

  @Test func `whom the host names, and whom it lets in by the browser, are told apart`() {
    let page = head()
    #expect(rules.verdict(on: page, of: nil) == .refused(.forbidden, "You may not come in."))
    #expect(rules.verdict(on: page, of: WebPerson("ann")) == .allowed(.init(person: "ann")))
    let browser = Self.viewers.browser(in: page.headers)
    #expect(browser != nil)
    #expect(rules.verdict(on: page, of: WebPerson()) == .allowed(.init(browser: browser)))
    // Only a page is given a cookie.
    #expect(rules.verdict(on: head("/ws", cookie: nil), of: WebPerson()) == .allowed(.init()))
    guard case .allowed(let admitted) = rules.verdict(on: head(cookie: nil), of: WebPerson())
    else {
      Issue.record("not let in")
      return
    }
    #expect(admitted.person == nil && admitted.browser == nil)
    #expect(admitted.cookie?.hasPrefix("tidelock-80=") == true)
  }

  @Test func `a cookie is good for a month, and is renewed as its browser comes`() throws {
    let now = Guarded(1_000_000)
    let admission = Admission(cookie: "c", kept: Self.kept) { now.withLock { $0 } }
    func headers(_ value: String) -> HTTPHeaders { ["cookie": "c=\(value)"] }
    let value = admission.makeCookie()
    let name = try #require(admission.browser(in: headers(value)))
    #expect(admission.renewedCookie(in: headers(value)) == nil)
    let day = 24 * 3600
    now.withLock { $0 += 29 * day }
    let renewed = try #require(admission.renewedCookie(in: headers(value)))
    #expect(renewed != value)
    #expect(admission.browser(in: headers(renewed)) == name)
    now.withLock { $0 += 2 * day }
    #expect(admission.browser(in: headers(value)) == nil)
    #expect(admission.renewedCookie(in: headers(value)) == nil)
    #expect(admission.browser(in: headers(renewed)) == name)
    // The time is signed as well.
    for other in ["00000f4240", "ffffffffff", "00004c4b40"] {
      let start = value.index(value.startIndex, offsetBy: 16)
      let end = value.index(start, offsetBy: 10)
      let forged = value[..<start] + other + value[end...]
      #expect(forged == value || admission.browser(in: headers(String(forged))) == nil)
    }
    for length in 0..<value.count {
      #expect(admission.browser(in: headers(String(renewed.prefix(length)))) == nil)
    }
  }

  @Test func `cookies of a kept token are good for the next run, and of another one they are not`()
  {
    let first = Admission(cookie: "c", kept: Self.kept)
    let headers: HTTPHeaders = ["cookie": "c=\(first.makeCookie())"]
    #expect(Admission(cookie: "c", kept: Self.kept).browser(in: headers) != nil)
    // The token alone makes no cookies.
    let other = KeptToken(token: "secret", key: "other")
    #expect(Admission(cookie: "c", kept: other).browser(in: headers) == nil)
    #expect(Admission(cookie: "c").browser(in: headers) == nil)
  }

  @Test func `of cookies that name different browsers none counts`() throws {
    let admission = Admission(cookie: "c", kept: Self.kept)
    let (own, tossed) = (admission.makeCookie(), admission.makeCookie())
    for line in ["c=\(own); c=\(tossed)", "c=\(tossed); a=b; c=\(own)"] {
      #expect(admission.browser(in: ["cookie": line]) == nil)
    }
    #expect(admission.browser(in: ["cookie": "c=\(own)", "cookie": "c=\(tossed)"]) == nil)
    let name = try #require(admission.browser(in: ["cookie": "c=\(own)"]))
    #expect(admission.browser(in: ["cookie": "c=\(own); c=\(own); c=forged"]) == name)
    // It is as if the browser had none: it needs the token.
    let request = head(cookie: "tidelock-80=VALUE; tidelock-80=\(Self.viewers.makeCookie())")
    #expect(rules.verdict(on: request, needsOrigin: false) == .stranger)
  }

  @Test func `the cookie of an encrypted page is of its host alone`() throws {
    var rules = rules
    rules.origins["app.example.org"] = "https://app.example.org"
    let first = head("/?token=secret", host: "app.example.org", cookie: nil, origin: nil)
    guard case .newcomer(let line?) = rules.verdict(on: first, needsOrigin: false) else {
      Issue.record("not let in")
      return
    }
    #expect(line.hasPrefix("__Host-tidelock-80="))
    #expect(line.contains("; Path=/; Secure") && !line.contains("Domain"))
    let cookie = String(line.prefix { $0 != ";" })
    let next = head(host: "app.example.org", cookie: cookie, origin: nil)
    #expect(isAllowed(rules.verdict(on: next, needsOrigin: false)))
    // One that any server of the domain can set does not count.
    let plain = String(cookie.dropFirst("__Host-".count))
    let tossed = head(host: "app.example.org", cookie: plain, origin: nil)
    #expect(rules.verdict(on: tossed, needsOrigin: false) == .stranger)
    #expect(isAllowed(rules.verdict(on: head(cookie: plain), needsOrigin: false)))
  }
}
