/// What is asked of a server, and what may be done to get it.
///
/// ```swift
/// var request = HTTPRequest(url: "https://example.com/fruit")
/// request.headers = [("Accept", "application/json")]
/// request.timeout = 10
/// ```
package struct HTTPRequest {
  package var method: String
  package var url: String
  /// The client sets those that say where and how the request is sent, and refuses them here.
  package var headers: [(name: String, value: String)]
  package var body: [UInt8]?
  /// For everything, redirects included, in seconds; nil for no limit.
  package var timeout: Double?
  /// For finding the server and connecting to it, in seconds.
  package var connectTimeout: Double
  /// Of a body that is collected, after decompression.
  package var mostBytes: Int
  /// With 0 a redirect is itself the response.
  package var mostRedirects: Int
  /// Called with each host before a connection: for the request, each redirect and the proxy. The
  /// host is in lower case, an IPv6 address without brackets. Returns nil to allow it, or the
  /// failure's message.
  package var admit: (_ host: String, _ port: Int) -> String?
  /// Asked for each address to which a connection would be made; likewise. A connection that is
  /// still open is used again without asking, so all requests of a client follow the same rules.
  ///
  /// It must not start, cancel or resume anything.
  package var admitAddress: (_ host: String, _ address: String, _ port: Int) -> String?

  package init(
    _ method: String = "GET", url: String, headers: [(name: String, value: String)] = [],
    body: [UInt8]? = nil, timeout: Double? = nil, connectTimeout: Double = 30,
    mostBytes: Int = 16 << 20, mostRedirects: Int = 10,
    admit: @escaping (_ host: String, _ port: Int) -> String? = { _, _ in nil },
    admitAddress: @escaping (_ host: String, _ address: String, _ port: Int) -> String? = {
      _, _, _ in nil
    }
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.timeout = timeout
    self.connectTimeout = connectTimeout
    self.mostBytes = mostBytes
    self.mostRedirects = mostRedirects
    self.admit = admit
    self.admitAddress = admitAddress
  }
}

/// What a server has answered.
package struct HTTPResponse: Sendable {
  package var status: Int
  /// With names in lower case, in the order in which they came. They are of the body as it was
  /// sent: `content-length` and `content-encoding` are from before it was decompressed.
  package var headers: [(name: String, value: String)]
  /// Empty where it was streamed.
  package var body: [UInt8] = []
  /// Where it came from in the end.
  package var url: String
  /// Stands for the body's memory, where that is reserved.
  package var reservation: MemoryReservation?

  package init(
    status: Int, headers: [(name: String, value: String)], body: [UInt8] = [], url: String,
    reservation: MemoryReservation? = nil
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.url = url
    self.reservation = reservation
  }

  /// The first header of a name, in lower case.
  package func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}

extension HTTPRequest {
  /// Headers by which a script could reach another server than the one that was admitted, or cut a
  /// request in two.
  private static let reserved: Set = [
    "host", "content-length", "transfer-encoding", "connection", "keep-alive", "te", "trailer",
    "upgrade", "expect", "proxy-authorization", "proxy-connection",
  ]
  /// Those that say nothing but what kind of answer is wanted, and may go to any server. All others
  /// may be secrets of the one that was asked.
  private static let general: Set = [
    "accept", "accept-charset", "accept-encoding", "accept-language", "cache-control", "pragma",
    "range", "user-agent",
  ]
  private static let ofBody = "content-"

  /// What is wrong with it, apart from the URL; nil when nothing is.
  var problem: HTTPFailure? {
    func bad(_ message: String) -> HTTPFailure { HTTPFailure(.badRequest, message) }
    guard Self.isToken(method) else {
      return bad("\(method.quoted) is not an HTTP method, such as GET or POST")
    }
    if method == "CONNECT" { return bad("the method CONNECT is not for requests") }
    if method == "HEAD", body != nil { return bad("a request with the method HEAD has no body") }
    if headers.count > HTTPHead.mostFields {
      return bad("it has more than \(HTTPHead.mostFields) headers")
    }
    let bytes = headers.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
    // They are read without a look at the clock.
    if bytes > HTTPHead.mostBytes {
      return bad("its headers have \(bytes) bytes, and \(HTTPHead.mostBytes) are the most")
    }
    for (name, value) in headers {
      guard Self.isToken(name) else {
        return bad(
          "\(name.quoted) is not a valid header name; it has letters, digits and hyphens")
      }
      if Self.reserved.contains(name.lowercased()) {
        return bad("the header \(name) is set by the client itself; leave it out")
      }
      if value.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) {
        return bad(
          "the value of the header \(name) has a line break or another control character")
      }
    }
    return nil
  }

  /// Whether it is a name in the sense of HTTP's grammar.
  private static func isToken(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 1000
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "a")...UInt8(ascii: "z"):
          true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
      }
  }

  /// The lines for libcurl, which adds some of its own unless they are named without a value.
  var lines: [String] {
    let names = Set(headers.map { $0.name.lowercased() })
    let blanks: Set<Character> = [" ", "\t"]
    var lines = headers.map { name, value in
      let rest = value.drop { blanks.contains($0) }
      return rest.isEmpty ? name + ";" : name + ": " + rest
    }
    lines.append("Expect:")
    if !names.contains("content-type") { lines.append("Content-Type:") }
    if !names.contains("user-agent") { lines.append("User-Agent: tidelock") }
    return lines
  }

  /// Becomes the request that follows an answer with this status; gives whether without the body.
  mutating func follow(status: Int, toOtherServer isElsewhere: Bool) -> Bool {
    let asksAnew =
      status == 303 && method != "HEAD" || (301...302).contains(status) && method == "POST"
    if asksAnew {
      method = "GET"
      body = nil
      headers.removeAll { $0.name.lowercased().hasPrefix(Self.ofBody) }
    }
    if isElsewhere {
      headers.removeAll { name, _ in
        let name = name.lowercased()
        return !Self.general.contains(name) && !name.hasPrefix(Self.ofBody)
      }
    }
    return asksAnew
  }
}
