import NIOHTTP1
import Testing

@testable import TideWeb

@Suite struct RequestRulesTests {
  private let rules = RequestRules(
    origins: ["127.0.0.1:80": "http://127.0.0.1:80", "localhost:80": "http://localhost:80"],
    token: "secret", oneTimeToken: OneTimeToken(), cookie: "tidelock-80")

  private func head(
    _ uri: String = "/", host: String? = "127.0.0.1:80", cookie: String? = "tidelock-80=secret",
    origin: String? = "http://127.0.0.1:80", method: HTTPMethod = .GET
  ) -> HTTPRequestHead {
    var headers: HTTPHeaders = [:]
    if let host { headers.add(name: "host", value: host) }
    if let cookie { headers.add(name: "cookie", value: cookie) }
    if let origin { headers.add(name: "origin", value: origin) }
    return HTTPRequestHead(version: .http1_1, method: method, uri: uri, headers: headers)
  }

  private func isAllowed(_ head: HTTPRequestHead) -> Bool {
    rules.verdict(on: head, needsOrigin: true) == .allowed
  }

  @Test func `its own page is answered`() {
    #expect(isAllowed(head()))
    #expect(isAllowed(head(cookie: "a=b; tidelock-80=secret; c=d")))
    #expect(isAllowed(head(host: "LOCALHOST:80", origin: "http://localhost:80")))
    #expect(rules.verdict(on: head(origin: nil), needsOrigin: false) == .allowed)
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
    #expect(!isAllowed(head(cookie: "tidelock-81=secret")))
    #expect(!isAllowed(head(cookie: "tidelock-80=secreT")))
    #expect(!isAllowed(head(cookie: "tidelock-80=secret2")))
    #expect(!isAllowed(head(method: .POST)))
  }

  @Test func `who has no cookie is a stranger, but on a page of somebody else it is refused`() {
    for cookie in [nil, "tidelock-80=former", "tidelock-81=secret"] {
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
      #expect(rules.verdict(on: head, needsOrigin: true) == .allowed, "\(host)")
    }
    for host in ["evil.example:80", "10.0.0.7:81", "10.0.0.7", "10.0.0.7.evil.example:80"] {
      let head = head(host: host, origin: "http://\(host)")
      #expect(rules.verdict(on: head, needsOrigin: true) != .allowed, "\(host)")
    }
  }

  @Test func `the token in the address admits, and a guess does not`() {
    #expect(
      rules.verdict(on: head("/?token=secret", cookie: nil), needsOrigin: false)
        == .newcomer(isSecure: false))
    for guess in ["", "secre", "secrets", "SECRET", "secret%00"] {
      let verdict = rules.verdict(on: head("/?token=\(guess)"), needsOrigin: false)
      guard case .refused = verdict else {
        Issue.record("\(guess)")
        continue
      }
    }
  }

  @Test func `a token for one admits one`() {
    let head = head("/?token=\(rules.oneTimeToken.text)", cookie: nil)
    #expect(rules.verdict(on: head, needsOrigin: false) == .newcomer(isSecure: false))
    #expect(rules.verdict(on: head, needsOrigin: false) != .newcomer(isSecure: false))
  }

  @Test func `where the host decides, it is asked about what comes from no other page`() {
    var rules = rules
    rules.admits = { _ in true }
    #expect(rules.verdict(on: head(cookie: nil), needsOrigin: true) == .undecided)
    #expect(
      rules.verdict(on: head(cookie: nil, origin: "http://evil.example"), needsOrigin: true)
        != .undecided)
    #expect(rules.verdict(on: head(host: "evil.example"), needsOrigin: false) != .undecided)
  }
}
