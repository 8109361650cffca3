import Testing
import TideBindings

@testable import TideWeb

@Suite struct ServerNamesTests {
  private func names(
    _ address: String = "127.0.0.1", url: String? = nil, port: Int = 8765,
    certified: [String] = [], isEncrypted: Bool = false
  ) throws -> ServerNames {
    var options = WebOptions(address: address)
    options.externalURL = url
    return try ServerNames(options, port: port, certified, isEncrypted)
  }

  @Test func `the loopback goes by its number and its name`() throws {
    let names = try names()
    #expect(names.address == "http://127.0.0.1:8765")
    #expect(Set(names.origins.keys) == ["127.0.0.1:8765", "localhost:8765"])
  }

  @Test func `the names in a certificate are the server's own`() throws {
    let names = try names(
      "0.0.0.0", certified: ["*.example.org", "app.example.org"], isEncrypted: true)
    #expect(names.address == "https://app.example.org:8765")
    #expect(names.origins["app.example.org:8765"] == "https://app.example.org:8765")
    #expect(names.anyAddress?.scheme == "https")
  }

  @Test(arguments: [
    ("127.0.0.1", ["localhost"], "localhost"), ("127.0.0.1", ["127.0.0.1"], "127.0.0.1"),
    ("::1", ["::1"], "[::1]"), ("10.0.0.7", ["app.example.org"], "app.example.org"),
    ("10.0.0.7", ["app.example.org", "10.0.0.7"], "10.0.0.7"),
    ("0.0.0.0", ["10.0.0.7"], "10.0.0.7"),
  ])
  func `the address is one that the certificate is for`(
    address: String, certified: [String], host: String
  ) throws {
    let names = try names(address, certified: certified, isEncrypted: true)
    #expect(names.address == "https://\(host):8765")
    #expect(names.origins["\(host):8765"] == "https://\(host):8765")
    #expect(names.uncertified == nil)
  }

  @Test(arguments: [[], ["app.example.org"], ["*.example.org"]])
  func `where there is none, that is known`(certified: [String]) throws {
    #expect(try names(certified: certified, isEncrypted: true).uncertified == "127.0.0.1")
    let url = "https://app.example.org"
    #expect(try names(url: url, certified: certified, isEncrypted: true).uncertified == nil)
    #expect(try names().uncertified == nil)
  }

  @Test func `the standard port need not be named`() throws {
    let names = try names(port: 443, certified: ["app.example.org"], isEncrypted: true)
    #expect(names.origins["app.example.org"] == "https://app.example.org")
  }

  @Test(arguments: [
    ("https://app.example.org", "https://app.example.org"),
    ("https://App.Example.org/", "https://app.example.org"),
    ("https://app.example.org:443", "https://app.example.org"),
    ("http://box:80", "http://box"), ("http://box:8080", "http://box:8080"),
    ("https://[::1]:8443", "https://[::1]:8443"),
  ])
  func `the URL of a reverse proxy is told as browsers name it`(
    url: String, address: String
  ) throws {
    let names = try names(url: url)
    #expect(names.address == address)
    #expect(names.origins.values.contains(address))
  }

  @Test(arguments: [
    "app.example.org", "ftp://app.example.org", "https://", "https://app.example.org/path",
    "https://app.example.org:99999", "https://app.example.org:", "https://[::1", "https://:80",
    "https://a b", "https://user@app.example.org", "https://[nothing]:80",
  ])
  func `what is no URL of a server is refused`(url: String) {
    #expect(throws: TideError.self) { try names(url: url) }
  }
}
