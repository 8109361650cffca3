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
  /// 0 for a free one.
  public var port: Int
  /// Browsers that may be connected at once.
  public var viewers: Int
  /// A file with the certificate of the server, and those that lead from it to one that browsers
  /// trust, as PEM; needs ``key``.
  public var certificate: String?
  /// A file with the private key of the certificate, as PEM.
  public var key: String?
  /// A file with the token that admits browsers, and the key of their cookies. The address and the cookies stay valid for the
  /// next run. The file is made, for its user alone, if it does not exist. Nil stands for a token
  /// of this run.
  public var tokenFile: String?
  /// The URL by which browsers reach it through a reverse proxy: `https://app.example.org`.
  public var externalURL: String?
  /// Whether all browsers show one app, or each one of its own.
  public var sessions = Sessions.shared
  /// The seconds that a private session continues after its last page is gone. The app is then
  /// ended, and the values of its models are kept. When the person or the browser comes again, the
  /// app begins with these values.
  public var idle = 300.0
  /// A header such as `X-User`, by which a reverse proxy names the person in each request. It
  /// replaces the token: only the people whom it names are let in. The proxy has to remove such a
  /// header from what browsers send. Nil stands for the token.
  public var trustedHeader: String?
  /// The addresses of proxies whose ``trustedHeader`` is believed; empty for proxies on this
  /// machine.
  public var trustedPeers: [String] = []
  /// Decides who is let in, in place of the token and of ``trustedHeader``. It returns nil for
  /// nobody. Without a function the token or the header decides.
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
    /// All show one view tree.
    case shared
    /// Each person has a runtime of their own, in all of their pages; where nobody names the
    /// person, each browser has one. The function makes and loads the runtime on the thread on
    /// which it will run.
    case `private`(@Sendable () throws -> Runtime)
  }

  /// Whether only programs of this machine reach it.
  package var isLoopback: Bool { address.hasPrefix("127.") || address == "::1" }

  /// Describes where an app is served: at a free port of the loopback, unless told otherwise.
  public init(address: String = "127.0.0.1", port: Int = 0, viewers: Int = 32) {
    self.address = address
    self.port = port
    self.viewers = viewers
  }
}

/// A person whom a host lets in.
///
/// ```swift
/// var options = WebOptions()
/// options.admits = { request in request.header("x-user").map { WebPerson($0) } }
/// ```
public struct WebPerson: Sendable, Equatable {
  /// The name that tells people apart. A private session belongs to the person with this name, in
  /// whichever browser. If the name is empty, the session belongs to the browser.
  public let name: String

  /// Describes a person. Without a name it says only that the person may come in.
  public init(_ name: String = "") { self.name = name }

  /// Names are compared by their bytes.
  public static func == (one: Self, other: Self) -> Bool {
    one.name.utf8.elementsEqual(other.name.utf8)
  }
}

/// A request of a browser, as far as one decides by it who is let in.
///
/// ```swift
/// var options = WebOptions()
/// options.admits = { request in request.header("x-user").map { WebPerson($0) } }
/// ```
public struct WebRequest: Sendable {
  /// What is asked for, with its query: `/`, `/ws`.
  public let target: String
  /// In the order in which they came; names are as they were sent.
  public let headers: [(name: String, value: String)]
  /// The address that the request came from; behind a reverse proxy, that of the proxy.
  public let address: String?

  /// Describes a request, for tests of a hook.
  public init(target: String, headers: [(name: String, value: String)], address: String? = nil) {
    self.target = target
    self.headers = headers
    self.address = address
  }

  /// The first header of a name, whose case does not matter; nil for none.
  public func header(_ name: String) -> String? {
    let name = name.lowercased()
    return headers.first { $0.name.lowercased() == name }?.value
  }
}
