/// Where and how runtimes share their models over NATS.
///
/// ```swift
/// var options = try NatsOptions("nats://127.0.0.1:4222/board")
/// options.credentials = "board.creds"
/// ```
///
/// The last part of the address is the key-value bucket; the default is `tidelock`. Separate
/// several servers of a cluster by commas: `nats://a:4222,nats://b:4222/board`. With `tls://` the
/// connection is encrypted, and the server needs a certificate issued by ``authorities``, or by an
/// authority that the system trusts.
public struct NatsOptions: Sendable, Equatable {
  /// The addresses in libnats' form, without bucket and user.
  var servers: [String] = []
  /// The hosts and ports, for rules about allowed servers.
  package private(set) var hosts: [Server] = []
  /// The host and port of a server.
  package struct Server: Sendable, Equatable {
    package let name: String
    package let port: Int
  }

  /// The key-value bucket, which is created if it is missing.
  public var bucket = "tidelock"
  /// The number of servers in a cluster that store a bucket which this program creates.
  public var replicas = 1
  /// A file with credentials, as `nsc` writes them.
  public var credentials: String?
  /// The user's name, used with ``password``.
  public var user: String?
  /// The password of ``user``.
  public var password: String?
  /// A token to log in with, in place of a name.
  public var token: String?
  /// A PEM file of certificates to trust in place of the system's.
  public var authorities: String?
  /// A PEM file with the client's certificate; needs ``key``.
  public var certificate: String?
  /// A PEM file with the private key of ``certificate``.
  public var key: String?
  /// Whether models are read-only.
  public var isReadOnly = false
  /// Seconds for which marks of removed rows stay at the server.
  var ageOfMarks = 30.0 * 24 * 3600
  /// Whether the connection is encrypted.
  public private(set) var isSecure = false

  /// Parses an address.
  ///
  /// - Throws: ``NatsOptionsError`` for an invalid address.
  public init(_ address: String) throws(NatsOptionsError) {
    for part in address.split(separator: ",", omittingEmptySubsequences: false) {
      try addServer(String(part))
    }
  }

  private mutating func addServer(_ text: String) throws(NatsOptionsError) {
    guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") else {
      throw .init("this is no address of a NATS server; write nats://HOST:PORT")
    }
    let scheme = text[..<colon]
    guard scheme == "nats" || scheme == "tls" else {
      throw .init("an address of a NATS server begins with nats:// or tls://, not \(scheme)://")
    }
    if scheme == "tls" { isSecure = true }
    var rest = text[text.index(colon, offsetBy: 3)...]
    if let query = rest.firstIndex(of: "?") {
      try read(query: rest[rest.index(after: query)...])
      rest = rest[..<query]
    }
    if let slash = rest.firstIndex(of: "/") {
      let name = String(rest[rest.index(after: slash)...])
      guard Self.isBucket(name) else {
        throw .bucket
      }
      bucket = name
      rest = rest[..<slash]
    }
    if let at = rest.lastIndex(of: "@") {
      let login = rest[..<at].split(separator: ":", maxSplits: 1).map(String.init)
      rest = rest[rest.index(after: at)...]
      if login.count == 2 { (user, password) = (login[0], login[1]) } else { token = login.first }
    }
    let (host, port) = try Self.hostAndPort(rest)
    hosts.append(Server(name: host, port: port))
    let name = host.contains(":") ? "[\(host)]" : host
    servers.append("\(scheme)://\(name):\(port)")
  }

  private mutating func read(query: Substring) throws(NatsOptionsError) {
    for part in query.split(separator: "&") {
      let pair = part.split(separator: "=", maxSplits: 1)
      guard pair.count == 2, pair[0] == "replicas", let count = Int(pair[1]),
        (1...5).contains(count)
      else {
        throw .init("the only option of an address is replicas=1 to replicas=5")
      }
      replicas = count
    }
  }

  private static func hostAndPort(_ text: Substring) throws(NatsOptionsError) -> (String, Int) {
    var host = text, port = 4222
    let end = text.lastIndex(of: "]") ?? text.startIndex
    if let colon = text[end...].lastIndex(of: ":") {
      guard let number = Int(text[text.index(after: colon)...]), (1...65_535).contains(number)
      else {
        throw .init("the address has no port from 1 to 65535 behind its colon")
      }
      port = number
      host = text[..<colon]
    }
    if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
    if host.isEmpty { throw .init("the address of the NATS server names no host") }
    return (String(host), port)
  }

  static func isBucket(_ name: String) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
          || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-")
      }
  }
}

/// The reason why options of a NATS server cannot be used.
///
/// ```swift
/// do throws(NatsOptionsError) { _ = try NatsOptions("http://host") } catch { print(error.message) }
/// ```
public struct NatsOptionsError: Error, Sendable {
  /// What is wrong, and how to correct it.
  public let message: String

  init(_ message: String) { self.message = message }

  static let bucket = NatsOptionsError("the name of a bucket has letters, digits, _ and - alone")
}
