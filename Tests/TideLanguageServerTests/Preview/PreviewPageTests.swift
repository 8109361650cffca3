import Testing
import TideSystem

@testable import TideLanguageServer

/// The page of previews, as other programs on the machine reach it.
@Suite struct PreviewPageTests {
  /// A connection to the loopback.
  private final class Connection {
    let descriptor: Int32

    init(port: UInt16) throws {
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
      address.sin_port = port.bigEndian
      let isConnected = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
      }
      try #require(isConnected)
    }

    deinit { close(descriptor) }

    func send(_ text: String) { _ = write(descriptor, text, text.utf8.count) }

    /// What is sent until the other end closes it.
    func rest() -> String {
      var bytes: [UInt8] = []
      var room = [UInt8](repeating: 0, count: 4096)
      while case let count = read(descriptor, &room, room.count), count > 0 {
        bytes += room[..<count]
      }
      return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether the other end has neither sent anything nor closed it.
    var isSilent: Bool {
      var byte: UInt8 = 0
      return recv(descriptor, &byte, 1, Int32(MSG_DONTWAIT)) < 0 && errno == EAGAIN
    }
  }

  @Test func `connections on which nothing is asked keep nobody waiting`() throws {
    let page = try PreviewPage { _, _ in }
    try page.start()
    // http://127.0.0.1:port/secret/?uri
    let parts = page.address(of: "file:///app.lua").split(separator: "/")
    let host = String(parts[1])
    let port = try #require(UInt16(host.drop { $0 != ":" }.dropFirst()))
    let silent = try (0..<64).map { _ in try Connection(port: port) }
    let client = try Connection(port: port)
    client.send("GET /\(parts[2])/ HTTP/1.1\r\nHost: \(host)\r\n\r\n")
    #expect(client.rest().hasPrefix("HTTP/1.1 200"))
    // The oldest made room, and no more of them than that takes.
    #expect(silent.prefix(49).allSatisfy { $0.rest().isEmpty })
    #expect(silent.suffix(15).count(where: \.isSilent) == 15)
  }

  /// The answer to a request for an address.
  private func ask(_ method: String, _ address: String) throws -> String {
    let parts = address.split(separator: "/", maxSplits: 2)
    let host = String(parts[1])
    let client = try Connection(port: try #require(UInt16(host.drop { $0 != ":" }.dropFirst())))
    client.send("\(method) /\(parts[2]) HTTP/1.1\r\nHost: \(host)\r\n\r\n")
    return client.rest()
  }

  @Test func `an address for a browser works once, and does not hold the page's secret`() throws {
    let page = try PreviewPage { _, _ in }
    try page.start()
    let address = page.oneTimeAddress(of: "file:///app.lua")
    let secret = page.address(of: "file:///app.lua").split(separator: "/")[2]
    #expect(!address.contains(secret))
    // The preview of a link in a chat asks for the head.
    #expect(try ask("HEAD", address).hasPrefix("HTTP/1.1 204"))
    let first = try ask("GET", address)
    #expect(first.hasPrefix("HTTP/1.1 303"))
    #expect(first.contains("\r\nLocation: /\(secret)/?file%3a%2f%2f%2fapp.lua\r\n"))
    #expect(try ask("GET", address).hasPrefix("HTTP/1.1 404"))
    #expect(try ask("GET", address + "x").hasPrefix("HTTP/1.1 404"))
  }

  @Test func `pictures of closed documents are forgotten, and there are never many`() throws {
    let page = try PreviewPage { _, _ in }
    try page.start()
    for index in 0..<100 { page.show(["svg": "x"], of: "file:///\(index).lua") }
    #expect(page.shownDocuments.count == 32)
    #expect(page.shownDocuments.contains("file:///99.lua"))
    page.forget { $0 == "file:///99.lua" }
    #expect(!page.shownDocuments.contains("file:///99.lua"))
  }
}
