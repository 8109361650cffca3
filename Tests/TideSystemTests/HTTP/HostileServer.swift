import Glibc
import OwnThread
import Synchronization

/// A server on a free port of this machine that does to each connection what a function says, on a
/// thread of its own.
final class HostileServer: Sendable {
  let port: Int
  private let listener: Int32
  private let accepted = Atomic(0)
  private let closed = Atomic(0)

  /// How many connections have been made.
  var connections: Int { accepted.load(ordering: .acquiring) }
  /// How many of them are open at both ends, as far as this one knows.
  var openConnections: Int { connections - closed.load(ordering: .acquiring) }

  /// - Parameter serve: is called for each connection, which is closed after it.
  init(_ serve: @escaping @Sendable (Connection) -> Void) {
    signal(SIGPIPE, SIG_IGN)
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        _ = bind(listener, pointer, size)
        _ = listen(listener, 1024)
        _ = getsockname(listener, pointer, &size)
      }
    }
    self.listener = listener
    port = Int(UInt16(bigEndian: address.sin_port))
    spawnThread { [weak self] in
      // Closed here alone: its number may soon belong to another server.
      defer { close(listener) }
      while true {
        let descriptor = accept(listener, nil, nil)
        guard descriptor >= 0, let self else { return }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        accepted.add(1, ordering: .releasing)
        spawnThread { [self] in
          serve(Connection(descriptor))
          close(descriptor)
          closed.add(1, ordering: .releasing)
        }
      }
    }
  }

  deinit { shutdown(listener, Int32(SHUT_RDWR)) }

  func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

  /// A port on which nobody listens.
  static var deadPort: Int {
    let server = HostileServer { _ in }
    return server.port
  }
}

/// A connection that a hostile server has accepted.
struct Connection {
  private let descriptor: Int32

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// A request's head, without the empty line; nil when there is none.
  func readHead() -> String? {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while !bytes.suffix(4).elementsEqual("\r\n\r\n".utf8) {
      guard recv(descriptor, &byte, 1, 0) == 1 else { return nil }
      bytes.append(byte)
    }
    return String(decoding: bytes.dropLast(4), as: UTF8.self)
  }

  func read(_ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      let got = bytes.withUnsafeMutableBytes {
        recv(descriptor, $0.baseAddress.map { $0 + done }, count - done, 0)
      }
      if got <= 0 { break }
      done += got
    }
    return Array(bytes[..<done])
  }

  /// Gives false when the other side is gone.
  @discardableResult
  func send(_ bytes: some Collection<UInt8>) -> Bool {
    var bytes = Array(bytes)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, 0) }
      if count <= 0 { return false }
      bytes = bytes.dropFirst(count)
    }
    return true
  }

  @discardableResult
  func send(_ text: String) -> Bool { send(text.utf8) }

  /// A whole answer.
  @discardableResult
  func answer(
    _ status: String = "200 OK", headers: String = "", bytes body: [UInt8]
  ) -> Bool {
    send("HTTP/1.1 \(status)\r\nContent-Length: \(body.count)\r\n\(headers)\r\n")
      && send(body)
  }

  @discardableResult
  func answer(_ status: String = "200 OK", headers: String = "", text: String = "") -> Bool {
    answer(status, headers: headers, bytes: Array(text.utf8))
  }

  /// Waits until the other side closes.
  func waitForEnd() {
    var byte: UInt8 = 0
    while recv(descriptor, &byte, 1, 0) > 0 {}
  }
}

extension HostileServer {
  /// Answers by the path of each request, and does as badly as it says.
  static func withRoutes() -> HostileServer {
    HostileServer { connection in
      while let head = connection.readHead() {
        let words = head.split(separator: " ")
        guard words.count > 1, serve(String(words[1]), head, connection) else { return }
      }
    }
  }

  private static let compressed: [UInt8] = [
    31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 75, 203, 76, 215, 81, 40, 200, 41, 205, 5, 0, 188, 205, 211,
    178, 9, 0, 0, 0,
  ]
  /// 100,000 zeros.
  private static let bomb: [UInt8] =
    [
      31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 237, 193, 49, 1, 0, 0, 0, 194, 160, 245, 79, 109, 13, 15,
      160,
    ]
    + [UInt8](repeating: 0, count: 96) + [128, 87, 3, 125, 149, 17, 212, 160, 134, 1, 0]

  /// Gives whether the connection goes on.
  private static func serve(_ path: String, _ head: String, _ connection: Connection) -> Bool {
    let parts = path.split(separator: "?", maxSplits: 1)
    let query = parts.count > 1 ? String(parts[1]) : ""
    switch parts[0] {
    case "/plain":
      return connection.answer(headers: "X-Fruit:  Fig \r\nX-Fruit: plum\r\n", text: "fig")
    case "/echo":
      let count = head.split(separator: "\r\n").lazy.compactMap { line in
        line.lowercased().hasPrefix("content-length: ") ? Int(line.dropFirst(16)) : nil
      }.first
      return connection.answer(
        bytes: Array(head.utf8) + Array("\n".utf8) + connection.read(count ?? 0))
    case "/chunked":
      return connection.send(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nfig,\r\n5\r\n plum\r\n0\r\nX-Trailer: 1\r\n\r\n"
      )
    case "/gzip": return connection.answer(headers: "Content-Encoding: gzip\r\n", bytes: compressed)
    case "/bomb": return connection.answer(headers: "Content-Encoding: gzip\r\n", bytes: bomb)
    case "/wrong-gzip":
      return connection.answer(
        headers: "Content-Encoding: gzip\r\n", bytes: bomb.prefix(40) + bomb.suffix(20))
    case "/not-gzip":
      return connection.answer(headers: "Content-Encoding: gzip\r\n", text: "plain text")
    case "/bytes": return connection.answer(bytes: [UInt8](repeating: 120, count: Int(query) ?? 0))
    case "/status": return connection.answer("\(query) As asked", text: "body of \(query)")
    case "/interim":
      return connection.send(
        "HTTP/1.1 100 Continue\r\nX-A: 1\r\n\r\nHTTP/1.1 103 Early\r\nLink: x\r\n\r\n")
        && connection.answer(text: "fig")
    case "/folded":
      return connection.answer(headers: "X-Long: one\r\n  two\r\n")
    case "/redirect":
      let words = query.split(separator: "&", maxSplits: 1)
      return connection.answer(
        "\(words[0]) Elsewhere", headers: "Location: \(words[1])\r\n", text: "gone")
    case "/loop": return connection.answer("302 Found", headers: "Location: /loop\r\n")
    case "/redirect-endless":
      connection.send("HTTP/1.1 302 Found\r\nLocation: /plain\r\n\r\n")
      while connection.send([UInt8](repeating: 0, count: 65536)) {}
    case "/hang": connection.waitForEnd()
    case "/hang-body":
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nfig")
      connection.waitForEnd()
    case "/garbage": connection.send([UInt8](repeating: 7, count: 1000) + [10, 10])
    case "/nothing": break
    case "/half-head": connection.send("HTTP/1.1 200 OK\r\nContent-Le")
    case "/cut": connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nfig")
    case "/half-chunk":
      connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n100\r\nfig")
    case "/bad-chunk":
      connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nfig\r\n")
    case "/huge":
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 10737418240\r\n\r\n")
      while connection.send([UInt8](repeating: 0, count: 65536)) {}
    case "/endless":
      connection.send("HTTP/1.1 200 OK\r\n\r\n")
      while connection.send([UInt8](repeating: 0, count: 65536)) {}
    case "/endless-line":
      connection.send("HTTP/1.1 200 OK\r\nX-A: ")
      while connection.send([UInt8](repeating: 97, count: 65536)) {}
    case "/endless-head":
      connection.send("HTTP/1.1 200 OK\r\n")
      while connection.send("X-A: fig\r\n") {}
    case "/endless-interim":
      while connection.send("HTTP/1.1 100 Continue\r\n\r\n") {}
    case "/endless-trailers":
      connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nfig\r\n0\r\n")
      while connection.send("X-A: fig\r\n") {}
    default: return connection.answer("404 Not Found", text: "nothing at \(path)")
    }
    return false
  }
}
