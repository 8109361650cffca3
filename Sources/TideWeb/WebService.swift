package import TideBindings
package import TideScript
import TideSystem

/// An app in browsers: the address, the server and the renderer that belong together.
///
/// ```swift
/// let service = try WebService(WebOptions())
/// print(service.url)
/// try service.start(for: runtime)
/// ```
///
/// Made before an app confines itself, started afterwards. It belongs to the runtime's owner.
package final class WebService {
  package let renderer: WebRenderer
  /// Where to open the app, with the token that lets a browser in.
  package let url: String
  /// The socket that listens, which a wall has to know of.
  package var listener: Int32 { socket.descriptor }
  private let socket: ListeningSocket
  private let rules: RequestRules
  private let limits: PageServer.Limits
  private var server: PageServer?
  /// Leads from the server's thread to the renderer.
  private var relay: Relay<WebRenderer>?

  /// Listens.
  ///
  /// - Throws: `serving` where nothing can listen there.
  package init(_ options: WebOptions, isDeveloping: Bool = false) throws(TideError) {
    do { socket = try ListeningSocket(address: options.address, port: options.port) } catch {
      throw TideError(.serving, error.message)
    }
    renderer = WebRenderer(isDeveloping: isDeveloping)
    let port = socket.port
    let isForAll = ["0.0.0.0", "::"].contains(options.address)
    let name = isForAll ? "localhost:\(port)" : ListeningSocket.name(options.address, port)
    var hosts: Set<String> = [name]
    if options.isLoopback { hosts.insert("localhost:\(port)") }
    rules = RequestRules(
      hosts: hosts, portOfAll: isForAll ? port : nil, token: Secret.make(),
      cookie: "tidelock-\(port)")
    var limits = PageServer.Limits()
    limits.viewers = options.viewers
    self.limits = limits
    url = "http://\(name)/?token=\(rules.token)"
  }

  /// Begins to answer.
  package func start(for runtime: Runtime) throws {
    renderer.listedErrors = { [weak runtime] in runtime?.errors ?? [] }
    let relay = Relay(renderer)
    let inbox = runtime.loop.inbox
    server = try PageServer(socket, rules, limits) { connection, report in
      inbox.post { relay.content?.take(report, of: connection) }
    }
    self.relay = relay
  }

  /// Ends all connections, and the server.
  ///
  /// - Parameter isForGood: whether pages say that the app has ended; otherwise they wait for it.
  package func stop(isForGood: Bool = true) {
    guard let server else { return }
    self.server = nil
    renderer.end(isForGood ? "The app has ended." : nil)
    server.stop()
    // Reports of the last connections may still be waiting in the inbox.
    relay?.end()
  }

  deinit { stop() }
}
