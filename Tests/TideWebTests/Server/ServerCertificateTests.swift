import Testing

@testable import TideWeb

@Suite struct ServerCertificateTests {
  private func name(_ text: String) -> String? { ServerCertificate.hostName(Array(text.utf8)) }

  @Test func `names of hosts are those that browsers ask for`() {
    #expect(name("App.Example.org") == "app.example.org")
    #expect(name("*.example.org") == "*.example.org")
    #expect(name("xn--mnchen-3ya.de") == "xn--mnchen-3ya.de")
  }

  @Test func `other texts in a certificate are no part of an address`() {
    for text in [
      "", "*.", "*", "a.*.org", "a b", "a\nhttp://evil.org/", "\u{1B}[2J", "a/b", "a?b", "a@b",
      "[::1]", "münchen.de", "a:1", "a\0b",
    ] {
      #expect(name(text) == nil, "\(text.debugDescription)")
    }
  }
}
