import TideSystem
import TideValues

/// A local web page that shows previews, for editors that cannot draw them.
///
/// It listens on the loopback interface at a port chosen by the system, and its address contains a
/// secret. Requests with another host name are refused, so that web sites cannot reach it through
/// DNS rebinding. Each connection serves one request.
final class PreviewPage: Sendable {
  private let listener: Int32
  private let port: UInt16
  private let secret: String
  private let wake: @Sendable (String, JSONValue) -> Void
  /// The pictures by document URI, as JSON, with a version number.
  private let pictures = Guarded(PreviewPictures())
  /// The one-time addresses, oldest first.
  private let tickets = Guarded<[(token: String, uri: String)]>([])

  private let clients = Guarded(Clients())

  /// The open connections, except those about to close.
  private struct Clients {
    var open: [Int32] = []
    /// Connections without a request so far, oldest first.
    var silent: [Int32] = []

    mutating func remove(_ client: Int32) {
      open.removeAll { $0 == client }
      silent.removeAll { $0 == client }
    }
  }

  /// Notifications from the page to the server's thread.
  static let wanted = "$/tidelock/pageWants"
  static let clicked = "$/tidelock/pageClicked"

  init(wake: @escaping @Sendable (String, JSONValue) -> Void) throws {
    self.wake = wake
    secret = Self.makeSecret()
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard listener >= 0 else { throw Self.failure }
    self.listener = listener
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, length) == 0 && listen(listener, 16) == 0
          && getsockname(listener, address, &length) == 0
      }
    }
    guard isBound else {
      defer { close(listener) }
      throw Self.failure
    }
    port = UInt16(bigEndian: address.sin_port)
  }

  /// Starts answering requests on a separate thread.
  func start() throws {
    guard let thread = SystemThread({ [self] in serve() }) else {
      defer { close(listener) }
      throw Self.failure
    }
    thread.detach()
  }

  private static var failure: ResponseError {
    ResponseError(
      .requestFailed, "the preview's page cannot be served: \(String(cString: strerror(errno)))")
  }

  private static func makeSecret() -> String {
    (0..<4).map { _ in String(UInt64.random(in: 0...UInt64.max), radix: 36) }.joined()
  }

  func address(of uri: String) -> String { "http://127.0.0.1:\(port)\(target(of: uri))" }

  private func target(of uri: String) -> String { "/\(secret)/?\(Self.encoded(uri))" }

  /// A one-time address of the page. Browsers are started with it as an argument, which every user
  /// of the machine can read.
  func oneTimeAddress(of uri: String) -> String {
    let token = Self.makeSecret()
    tickets.withLock { tickets in
      if tickets.count >= Self.mostTickets { tickets.removeFirst() }
      tickets.append((token, uri))
    }
    return "http://127.0.0.1:\(port)\(Self.ticketPath)\(token)"
  }

  private static let ticketPath = "/open/"
  private static let mostTickets = 16

  /// The document of a ticket; the ticket becomes invalid.
  private func redeem(_ token: Substring) -> String? {
    tickets.withLock { tickets in
      tickets.firstIndex { $0.token == token }.map { tickets.remove(at: $0).uri }
    }
  }

  private static func encoded(_ text: String) -> String {
    text.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"):
        String(Unicode.Scalar(byte))
      default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }
    }.joined()
  }

  private static func decoded(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let code = UInt8(Substring(rest.prefix(2)), radix: 16) {
        bytes.append(code)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Updates the picture of a document.
  func show(_ picture: JSONValue, of uri: String) {
    let text = picture.text
    pictures.withLock { $0.set(text, of: uri) }
  }

  /// Discards the pictures of closed documents.
  func forget(where isClosed: (String) -> Bool) {
    pictures.withLock { $0.remove(where: isClosed) }
  }

  /// The documents with a picture.
  var shownDocuments: Set<String> { pictures.withLock { $0.documents } }

  // MARK: Requests

  private func serve() {
    while true {
      let client = accept(listener, nil, nil)
      guard client >= 0 else {
        if errno == EBADF || errno == EINVAL { return }
        // Errors such as too many open files are temporary.
        usleep(10_000)
        continue
      }
      // Child processes must not inherit the descriptor.
      _ = fcntl(client, F_SETFD, FD_CLOEXEC)
      // A silent client must not block others for long.
      var limit = timeval(tv_sec: 2, tv_usec: 0)
      let size = socklen_t(MemoryLayout<timeval>.size)
      setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
      setsockopt(client, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
      answerApart(client)
    }
  }

  /// The limit of open connections. Beyond it, the oldest silent connection is closed.
  private static let mostClients = 16

  /// Answers on a separate thread, because browsers open connections in advance.
  private func answerApart(_ client: Int32) {
    while !takePlace(client) { usleep(1_000) }
    let thread = SystemThread { [self] in
      answer(client)
      end(client)
    }
    if let thread { return thread.detach() }
    end(client)
  }

  /// Reserves a slot for a connection, if necessary by closing the oldest silent one. Returns false
  /// if there is none.
  private func takePlace(_ client: Int32) -> Bool {
    clients.withLock { clients in
      if clients.open.count >= Self.mostClients {
        guard let silent = clients.silent.first else { return false }
        clients.remove(silent)
        // Its thread is waiting for a request, and then closes it.
        shutdown(silent, Int32(SHUT_RDWR))
      }
      clients.open.append(client)
      clients.silent.append(client)
      return true
    }
  }

  private func noteRequest(of client: Int32) {
    clients.withLock { clients in clients.silent.removeAll { $0 == client } }
  }

  private func end(_ client: Int32) {
    // Before another connection can get the same descriptor number.
    clients.withLock { $0.remove(client) }
    close(client)
  }

  private func head(from client: Int32) -> String? {
    var bytes: [UInt8] = []
    var room = [UInt8](repeating: 0, count: 4096)
    // Nor must a client block others by sending one byte at a time.
    let end = ContinuousClock.now + .seconds(2)
    while bytes.count < 16_384, ContinuousClock.now < end {
      let count = recv(client, &room, room.count, 0)
      if count <= 0 { return nil }
      bytes += room[..<count]
      let text = String(decoding: bytes, as: UTF8.self)
      if text.contains("\r\n\r\n") { return text }
    }
    return nil
  }

  private func answer(_ client: Int32) {
    guard let head = head(from: client) else { return }
    noteRequest(of: client)
    let lines = head.split(separator: "\r\n")
    let parts = (lines.first ?? "").split(separator: " ")
    let host = lines.dropFirst().first { $0.lowercased().hasPrefix("host:") }?
      .dropFirst(5).drop { $0 == " " }
    guard parts.count == 3, host == "127.0.0.1:\(port)" || host == "localhost:\(port)" else {
      return send("404 Not Found", "text/plain", "not here\n", to: client)
    }
    if parts[1].hasPrefix(Self.ticketPath) {
      return answer(ticket: parts[1].dropFirst(Self.ticketPath.count), parts[0], client)
    }
    guard parts[1].hasPrefix("/\(secret)/") else {
      return send("404 Not Found", "text/plain", "not here\n", to: client)
    }
    let target = parts[1].dropFirst(secret.utf8.count + 2)
    let path = target.prefix { $0 != "?" }
    let query = target.dropFirst(path.count + 1)
    switch (parts[0], path) {
    case ("GET", ""): send("200 OK", "text/html; charset=utf-8", Self.html, to: client)
    case ("GET", "page.js"):
      send("200 OK", "text/javascript; charset=utf-8", Self.script, to: client)
    case ("GET", "picture"):
      let uri = Self.decoded(query)
      wake(Self.wanted, ["uri": .string(uri)])
      let picture = pictures.withLock { $0.picture(of: uri) }
      let number = picture?.number ?? 0
      send(
        "200 OK", "application/json",
        "{\"number\":\(number),\"picture\":\(picture?.json ?? "null")}",
        to: client)
    case ("POST", "click"):
      let values = query.split(separator: "&").map { Self.decoded($0) }
      if values.count == 2, let line = Int(values[1]) {
        wake(Self.clicked, ["uri": .string(values[0]), "line": .int(line)])
      }
      send("204 No Content", "text/plain", "", to: client)
    default: send("404 Not Found", "text/plain", "not here\n", to: client)
    }
  }

  private func answer(ticket token: Substring, _ method: Substring, _ client: Int32) {
    // Link previews request only the head, which must not use up the ticket.
    guard method == "GET" else { return send("204 No Content", "text/plain", "", to: client) }
    guard let uri = redeem(token) else {
      let text = "This address has been used. Open the preview in the editor again.\n"
      return send("404 Not Found", "text/plain", text, to: client)
    }
    send("303 See Other", "text/plain", "", location: target(of: uri), to: client)
  }

  private func send(
    _ status: String, _ type: String, _ body: String, location: String? = nil, to client: Int32
  ) {
    let head = """
      HTTP/1.1 \(status)\r\(location.map { "\nLocation: \($0)\r" } ?? "")
      Content-Type: \(type)\r
      Content-Length: \(body.utf8.count)\r
      Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; \
      connect-src 'self'; img-src data:\r
      X-Content-Type-Options: nosniff\r
      Referrer-Policy: no-referrer\r
      Cache-Control: no-store\r
      Connection: close\r
      \r

      """
    var bytes = Array((head + body).utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes {
        Glibc.send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count <= 0 { return }
      bytes = bytes.dropFirst(count)
    }
  }
}
