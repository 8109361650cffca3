/// An HTTP request with its limits and admission rules.
///
/// ```swift
/// var request = HTTPRequest(url: "https://example.com/fruit")
/// request.headers = [("Accept", "application/json")]
/// request.timeout = 10
/// ```
package struct HTTPRequest {
  package var method: String
  package var url: String
  /// The client sets headers that determine where and how the request is sent, and rejects them
  /// here.
  package var headers: [(name: String, value: String)]
  package var body: [UInt8]?
  /// The time limit for the whole request including redirects, in seconds; nil for no limit.
  package var timeout: Double?
  /// The time limit for resolving the host and connecting, in seconds.
  package var connectTimeout: Double
  /// The size limit of a collected body, after decompression.
  package var mostBytes: Int
  /// With 0, a redirect is returned as the response.
  package var mostRedirects: Int
  /// Called with each host before connecting: for the request, each redirect and the proxy. The
  /// host is in lower case; an IPv6 address has no brackets. Returns nil to allow it, or the
  /// failure's message.
  package var admit: (_ host: String, _ port: Int) -> String?
  /// Called for each address before connecting; returns nil to allow it, or the failure's message.
  /// An open connection is reused without a call, so all requests of a client must follow the same
  /// rules.
  ///
  /// It must not start, cancel or resume transfers.
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

/// An HTTP response.
package struct HTTPResponse: Sendable {
  package var status: Int
  /// Headers in order of arrival, with names in lower case. `content-length` and `content-encoding`
  /// describe the body as sent, before decompression.
  package var headers: [(name: String, value: String)]
  /// The body; empty if it was streamed.
  package var body: [UInt8] = []
  /// The final URL, after redirects.
  package var url: String
  /// The reservation of the body's memory, if there is one.
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

  /// The value of the first header with a name in lower case.
  package func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}

extension HTTPRequest {
  /// Headers with which a script could reach a server other than the admitted one, or split a
  /// request in two.
  private static let reserved: Set = [
    "host", "content-length", "transfer-encoding", "connection", "keep-alive", "te", "trailer",
    "upgrade", "expect", "proxy-authorization", "proxy-connection",
  ]
  /// Headers that only describe the wanted response, and may be sent to any server. All others may
  /// contain secrets for the original server.
  private static let general: Set = [
    "accept", "accept-charset", "accept-encoding", "accept-language", "cache-control", "pragma",
    "range", "user-agent",
  ]
  private static let ofBody = "content-"

  /// The first problem of the request, apart from its URL; nil if there is none.
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
    // libcurl reads headers without checking time limits.
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

  /// Whether it is a token of HTTP's grammar.
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

  /// The header lines for libcurl, which adds its own defaults unless they are listed without a
  /// value.
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

  /// Changes the request to follow a redirect with this status. Returns whether the body is
  /// dropped.
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
