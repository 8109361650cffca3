import Testing

@testable import TideWeb

@Suite struct RequestTargetTests {
  @Test func `a connection names its page and the script of its page`() {
    let target = RequestTarget("/inspect/ws?page=http://127.0.0.1:80/client-1.js&session=3f")
    #expect(target.connection == .inspector)
    #expect(target.page == nil)
    #expect(target.session == "3f")
    #expect(target.script == "http://127.0.0.1:80/client-1.js")
    #expect(RequestTarget("/ws?session=\(String(repeating: "x", count: 100))").session.count == 96)
  }

  @Test(arguments: ["//ws", "/ws/", "/WS", "/x/ws", "/inspect//ws", "//inspect/ws", "ws", ""])
  func `nothing connects at another path`(path: String) {
    #expect(RequestTarget(path).connection == nil)
  }

  @Test(arguments: ["/ws", "/inspect/ws?token=a", "/client.js?token=a", "/nothing?token=a", ""])
  func `only the address of a page has a token`(uri: String) {
    #expect(RequestTarget(uri).token == nil)
    #expect(RequestTarget(uri).withoutToken == nil)
  }

  @Test(arguments: [
    ("/", "/"), ("/?", "/"), ("/?token=a", "/"), ("/inspect?token=a&b", "/inspect?b"),
    ("/?b=1&token=a&c=2=3", "/?b=1&c=2=3"), ("/?tokens=a", "/?tokens=a"),
    ("/?b=\r\nSet-Cookie:x&c=1", "/?c=1"), ("/?\"b\"=1&ä=2", "/"),
  ])
  func `an address without its token is that of a known page`(uri: String, rest: String) {
    #expect(RequestTarget(uri).withoutToken == rest)
  }
}
