/// The address of a server as it prints it, and what a browser sends to it.
///
/// ```swift
/// let client = try RawClient(port: address.port)
/// client.send(address.upgrade())
/// ```
package struct WebAddress: Sendable {
  package let port: Int
  package let token: String
  /// As `name=value`; empty where the server gave none.
  package let cookie: String

  /// Exchanges the token for a cookie, as a browser does that opens the address.
  ///
  /// - Parameter url: `http://127.0.0.1:8765/?token=…`, or without a token.
  package init(_ url: String) {
    let parts = url.split(separator: "=")
    token = parts.count > 1 ? String(parts[1]) : ""
    let places = url.split(separator: ":")
    port = places.count > 2 ? Int(places[2].prefix { $0.isNumber }) ?? 0 : 0
    let path = url.split(separator: "/", maxSplits: 2).dropFirst(2).joined()
    cookie = token.isEmpty ? "" : Self.exchange("/" + path, port)
  }

  private static func exchange(_ uri: String, _ port: Int) -> String {
    guard let client = try? RawClient(port: port) else { return "" }
    client.send("GET \(uri) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n")
    let head = client.head()
    guard let start = head.firstRange(of: "set-cookie: ")?.upperBound else { return "" }
    return String(head[start...].prefix { $0 != ";" })
  }

  /// The address as another browser opens it.
  package var another: WebAddress { WebAddress("http://127.0.0.1:\(port)/?token=\(token)") }

  package func get(_ uri: String, cookie: Bool = true, _ more: [String] = []) -> String {
    let lines =
      ["GET \(uri) HTTP/1.1", "Host: 127.0.0.1:\(port)"]
      + (cookie ? ["Cookie: \(self.cookie)"] : []) + more
    return lines.joined(separator: "\r\n") + "\r\n\r\n"
  }

  /// Asks for a WebSocket.
  ///
  /// - Parameters:
  ///   - page: the address of the script of the page that connects; nil for who is none.
  ///   - more: further lines of the head, as a proxy adds them.
  package func upgrade(
    _ place: String = "/ws", cookie: Bool = true, origin: String? = nil, session: String = "",
    page: String? = nil, _ more: [String] = []
  ) -> String {
    let query =
      (page.map { ["page=\($0)"] } ?? []) + (session.isEmpty ? [] : ["session=\(session)"])
    return get(
      place + (query.isEmpty ? "" : "?" + query.joined(separator: "&")), cookie: cookie,
      [
        "Origin: \(origin ?? "http://127.0.0.1:\(port)")", "Connection: Upgrade",
        "Upgrade: websocket", "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
      ] + more)
  }
}
