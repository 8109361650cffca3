import Testing
import TideValues

@testable import TideSystem

struct NetworkAddressTests {
  @Test(arguments: [
    ("127.0.0.1", "127.0.0.1"), ("::1", "::1"), ("0:0:0:0:0:0:0:1", "::1"), ("::", "::"),
    ("2001:DB8:0:0:1:0:0:1", "2001:db8::1:0:0:1"), ("::ffff:10.0.0.1", "10.0.0.1"),
    ("::ffff:a00:1", "10.0.0.1"), ("1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"), ("fe80::", "fe80::"),
    ("1:0:2:3:4:5:6:7", "1:0:2:3:4:5:6:7"), ("1::8", "1::8"),
    ("64:ff9b::1.2.3.4", "64:ff9b::102:304"),
  ])
  func `an address has one usual spelling`(text: String, usual: String) throws {
    let address = try #require(NetworkAddress(text))
    #expect(address.description == usual)
    #expect(NetworkAddress(usual) == address)
  }

  @Test(arguments: [
    "", "1", "127.1", "1.2.3", "1.2.3.4.5", "1.2.3.256", "01.2.3.4", "1.2.3.-4", "1.2.3.",
    "a.b.c.d",
    ":", ":::", "1:2", "1:2:3:4:5:6:7:8:9", "1::2::3", "::12345", "::g", "1:2:3:4:5:6:7::8",
    "fe80::1%eth0", "[::1]", "::+1", "1.2.3.4::", "::1.2.3.4:5", "localhost", "0x7f.0.0.1",
    "١.٢.٣.٤",
  ])
  func `what is no address is none`(text: String) {
    #expect(NetworkAddress(text) == nil)
  }

  @Test(arguments: [
    ("127.0.0.1", true), ("127.255.255.255", true), ("128.0.0.1", false), ("0.0.0.0", true),
    ("0.1.2.3", true), ("169.254.169.254", true), ("169.255.0.1", false), ("10.0.0.1", false),
    ("::", true), ("::1", true), ("::2", true), ("::127.0.0.1", true), ("fe80::1", true),
    ("febf::1", true), ("fec0::1", false), ("2001:db8::1", false), ("::ffff:127.0.0.1", true),
    ("::ffff:8.8.8.8", false), ("8.8.8.8", false),
  ])
  func `this machine and its cable are local`(text: String, isLocal: Bool) throws {
    #expect(try #require(NetworkAddress(text)).isLocal == isLocal)
  }
}

struct HTTPProxiesTests {
  private func proxies(_ variables: [String: String]) -> HTTPProxies {
    HTTPProxies { variables[$0] }
  }

  @Test func `a proxy is for one scheme, or for all`() {
    let some = proxies(["http_proxy": "one:1", "HTTPS_PROXY": "https://two", "all_proxy": "three"])
    #expect(some.proxy(scheme: "http", host: "a") == "http://one:1")
    #expect(some.proxy(scheme: "https", host: "a") == "https://two")
    let all = proxies(["ALL_PROXY": "socks5h://three:1"])
    #expect(all.proxy(scheme: "http", host: "a") == "socks5h://three:1")
    // A web server sets it to a header of the request.
    #expect(proxies(["HTTP_PROXY": "evil"]).proxy(scheme: "http", host: "a") == nil)
    #expect(proxies(["http_proxy": ""]).proxy(scheme: "http", host: "a") == nil)
    #expect(HTTPProxies().proxy(scheme: "http", host: "a") == nil)
  }

  @Test(arguments: [
    ("fruit.example", true), ("a.fruit.example", true), ("afruit.example", false),
    ("dot.example", true), ("10.1.2.3", true), ("11.1.2.3", false), ("::1", true), ("::2", false),
    ("192.168.0.1", true), ("example", false),
  ])
  func `what no_proxy names is reached without one`(host: String, isDirect: Bool) {
    let some = proxies([
      "http_proxy": "p",
      "no_proxy": "Fruit.example, .dot.example,10.0.0.0/8 [::1],192.168.0.1,/,x/y",
    ])
    #expect((some.proxy(scheme: "http", host: host) == nil) == isDirect)
    #expect(proxies(["http_proxy": "p", "NO_PROXY": "*"]).proxy(scheme: "http", host: host) == nil)
  }
}
