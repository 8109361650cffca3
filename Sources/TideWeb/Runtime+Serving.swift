public import TideBindings
import TideRun
public import TideScript

/// Where an app is served, and to how many.
///
/// ```swift
/// var options = WebOptions(port: 8765)
/// options.viewers = 100
/// ```
public struct WebOptions: Sendable {
  /// The address to listen at: `127.0.0.1`, which only programs of this machine can reach, another
  /// address of the machine, or `0.0.0.0` for all of them. Connections are not encrypted: others on the
  /// network can read and change what is sent, unless a reverse proxy encrypts it.
  public var address: String
  /// 0 for a free one.
  public var port: Int
  /// Browsers that may be connected at once.
  public var viewers: Int

  /// Whether only programs of this machine reach it.
  package var isLoopback: Bool { address.hasPrefix("127.") || address == "::1" }

  /// Describes where an app is served: at a free port of the loopback, unless told otherwise.
  public init(address: String = "127.0.0.1", port: Int = 0, viewers: Int = 32) {
    self.address = address
    self.port = port
    self.viewers = viewers
  }
}

extension TideError.Code {
  /// Nothing can listen for browsers at an address.
  public static let serving = Self("serving", 433)
}

extension Runtime {
  /// Shows the app in browsers until it ends; gives its exit code.
  ///
  /// ```swift
  /// let code = try await runtime.serve(WebOptions(port: 8765)) { url in print(url) }
  /// ```
  ///
  /// `onListening` is given the address to open, whose token lets browsers in. All of them show one
  /// view tree. It ends as `run` does, and stays on the actor that called it.
  ///
  /// - Throws: `TideError` of code `serving` where nothing can listen at the address, and what `run`
  ///   throws.
  nonisolated(nonsending) public func serve(
    _ options: WebOptions = WebOptions(), onListening: (_ url: String) -> Void
  ) async throws -> Int32 {
    let service = try WebService(options)
    try service.start(for: self)
    onListening(service.url)
    defer { service.stop() }
    return try await run(service.renderer)
  }
}
