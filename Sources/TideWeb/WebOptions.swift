public import TideScript

/// Where an app is served, and to whom.
///
/// ```swift
/// var options = WebOptions(port: 8765)
/// options.viewers = 100
/// options.admits = { request in request.header("x-user").map { WebPerson($0) } }
/// ```
public struct WebOptions: Sendable {
  /// The address to listen at: `127.0.0.1`, which only programs of this machine can reach, another
  /// address of the machine, or `0.0.0.0` for all of them. Without a certificate others on the
  /// network can read and change what is sent, unless a reverse proxy encrypts it.
  public var address: String
  /// The port; 0 for a free one.
  public var port: Int
  /// Browsers that may be connected at once.
  public var viewers: Int
  /// A PEM file with the certificate of the server, followed by its intermediate certificates;
  /// needs ``key``.
  public var certificate: String?
  /// A PEM file with the private key of the certificate.
  public var key: String?
  /// A file with the token that admits browsers, and the key of their cookies. The address and the
  /// cookies stay valid for the next run. A missing file is created, accessible to its owner only.
  /// Nil means a new token for each run.
  public var tokenFile: String?
  /// The URL by which browsers reach the server through a reverse proxy: `https://app.example.org`.
  public var externalURL: String?
  /// Whether all browsers show one app, or each one of its own.
  public var sessions = Sessions.shared
  /// The seconds that a private session continues after its last page has closed. The app then
  /// ends, and the values of its models are saved. When the person or the browser returns, the app
  /// starts with these values.
  public var idle = 300.0
  /// A header such as `X-User`, by which a reverse proxy names the person in each request. It
  /// replaces the token: only the people whom it names are admitted. The proxy must remove such a
  /// header from the requests of browsers. Nil means the token.
  public var trustedHeader: String?
  /// The addresses of the proxies whose ``trustedHeader`` is trusted; empty for proxies on this
  /// machine.
  public var trustedPeers: [String] = []
  /// Decides who is admitted, in place of the token and of ``trustedHeader``. It returns nil to
  /// refuse a request. Without a function the token or the header decides.
  ///
  /// The function is called for each request and each connection that names this server and does
  /// not come from another site's page. It is called again every 20 seconds while a connection is
  /// open; the connection ends when its person is no longer let in. After 10 minutes at most a
  /// connection ends in any case, and its page sends a new request. The function runs on the
  /// server's thread until it first waits, and must not block.
  public var admits: (@Sendable (WebRequest) async -> WebPerson?)?

  /// How browsers share an app.
  ///
  /// ```swift
  /// var options = WebOptions()
  /// options.sessions = .private {
  ///   let runtime = try Runtime(app: URL(filePath: "app.lua"))
  ///   try runtime.load()
  ///   return runtime
  /// }
  /// ```
  public enum Sessions: Sendable {
    /// All browsers show one view tree.
    case shared
    /// Each person has a runtime of their own, shared by all of their pages. If the host does not
    /// name the person, each browser has one. The function creates and loads the runtime on the
    /// thread on which it will run.
    case `private`(@Sendable () throws -> Runtime)
  }

  /// Whether only programs on this machine can reach the server.
  package var isLoopback: Bool { address.hasPrefix("127.") || address == "::1" }

  /// Describes where an app is served: by default at a free port of the loopback address.
  public init(address: String = "127.0.0.1", port: Int = 0, viewers: Int = 32) {
    self.address = address
    self.port = port
    self.viewers = viewers
  }
}

/// A person whom a host admits.
///
/// ```swift
/// var options = WebOptions()
/// options.admits = { request in request.header("x-user").map { WebPerson($0) } }
/// ```
public struct WebPerson: Sendable, Equatable {
  /// The name that tells people apart. A private session belongs to the person with this name, in
  /// whichever browser. If the name is empty, the session belongs to the browser.
  public let name: String

  /// Describes a person. Without a name it only admits the person.
  public init(_ name: String = "") { self.name = name }

  /// Names are compared by their bytes.
  public static func == (one: Self, other: Self) -> Bool {
    one.name.utf8.elementsEqual(other.name.utf8)
  }
}

/// A browser's request, as ``WebOptions/admits`` receives it.
///
/// ```swift
/// var options = WebOptions()
/// options.admits = { request in request.header("x-user").map { WebPerson($0) } }
/// ```
public struct WebRequest: Sendable {
  /// The requested path with its query: `/`, `/ws`.
  public let target: String
  /// The headers in the order received, with names as sent.
  public let headers: [(name: String, value: String)]
  /// The address that the request came from; behind a reverse proxy, that of the proxy.
  public let address: String?

  /// Describes a request, for tests of a hook.
  public init(target: String, headers: [(name: String, value: String)], address: String? = nil) {
    self.target = target
    self.headers = headers
    self.address = address
  }

  /// The first header with a name, ignoring case; nil if there is none.
  public func header(_ name: String) -> String? {
    let name = name.lowercased()
    return headers.first { $0.name.lowercased() == name }?.value
  }
}
