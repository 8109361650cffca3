package import TideBindings
package import TideScript
import TideSystem

/// Serves an app to browsers: its address, server and renderer.
///
/// ```swift
/// let service = try WebService(WebOptions())
/// print(service.url)
/// try service.start(for: runtime)
/// ```
///
/// Create it before the app confines itself, and start it afterwards. It belongs to the runtime's
/// owner.
package final class WebService {
  package let renderer: WebRenderer
  /// The address to open, with the token that admits a browser.
  package let url: String
  /// The inspector's address, with a token of its own; nil without an inspector.
  package private(set) var inspectorURL: String?
  /// The listening socket, which an app's confinement has to permit.
  package var listener: Int32 { socket.descriptor }
  /// A warning about the certificate, which can be used nevertheless.
  package let warning: TideError?
  private let socket: ListeningSocket
  /// The address with a token that works once, for a browser that the program starts. Others on the
  /// machine may see the browser's arguments.
  package let oneTimeURL: String
  private var rules: RequestRules
  /// The address without a path.
  private let address: String
  private let certificate: ServerCertificate?
  private let limits: PageServer.Limits
  private var server: PageServer?
  /// Passes reports from the server's thread to this one.
  private var relay: Relay<Reports>?
  private let pictures = PagePictures()
  private let makePrivate: PrivateApp.Maker?
  /// Runs each session in a process of its own; nil for threads.
  private let workers: WorkerOptions?
  private var lastWorker = 0
  /// Starts a worker in place of the broker, for tests; set before the start.
  var startWorker: (() throws(SystemError) -> WorkerProcess)?
  private let sessionLimits: PrivateSessions.Limits
  private var sessions: PrivateSessions?
  private var makeInspector: PrivateApp.Maker?
  /// Whether `serveInspector` does anything.
  package var servesInspector = true
  private var inspectors: PrivateSessions?

  private static let mostInspectors = 4
  /// In seconds.
  private static let idleInspector = 10.0
  /// Whether each viewer has an app of its own.
  package var isPrivate: Bool { makePrivate != nil || workers != nil }
  private let isDeveloping: Bool

  /// Receives reports of connections.
  private struct Reports {
    let renderer: WebRenderer
    let sessions: PrivateSessions?
    let inspectors: PrivateSessions?

    func take(_ report: PageConnection.Report, of connection: PageConnection) {
      if connection.place == .inspector {
        inspectors?.take(report, of: connection)
      } else if let sessions {
        sessions.take(report, of: connection)
      } else {
        renderer.take(report, of: connection)
      }
    }
  }

  /// Reads the certificate and listens.
  ///
  /// - Parameters:
  ///   - makePrivate: creates the app of each viewer, overriding the options.
  ///   - workers: runs each viewer's app in a process of its own instead of a thread; the broker
  ///     was started with the workers' body.
  /// - Throws: `serving` if the server cannot listen there, or the certificate is unusable.
  package init(
    _ options: WebOptions, isDeveloping: Bool = false, makePrivate: PrivateApp.Maker? = nil,
    workers: WorkerOptions? = nil
  ) throws(TideError) {
    self.isDeveloping = isDeveloping
    self.workers = workers
    self.makePrivate = makePrivate ?? Self.maker(options.sessions)
    var sessionLimits = PrivateSessions.Limits()
    sessionLimits.sessions = options.viewers
    sessionLimits.idle = options.idle
    self.sessionLimits = sessionLimits
    limits = try Self.limits(options, isPrivate: self.makePrivate != nil || workers != nil)
    certificate = try Self.certificate(options)
    let admits = try Self.admission(options)
    var kept: KeptToken?
    if let file = options.tokenFile { kept = try TokenFile(file).kept() }
    do { socket = try ListeningSocket(address: options.address, port: options.port) } catch {
      throw TideError(.serving, error.message + Self.remedy(error.number))
    }
    renderer = WebRenderer(isDeveloping: isDeveloping, pictures)
    renderer.idle = options.idle
    let certified = certificate?.names ?? []
    let names = try ServerNames(options, port: socket.port, certified, certificate != nil)
    warning = names.uncertified.map { host in
      let others = certified.isEmpty ? "no host" : certified.joined(separator: ", ")
      return TideError(
        .serving,
        "browsers will warn of \(names.address): the certificate in \(options.certificate ?? "") is for "
          + "\(others), not for \(host); get one that is, or name the URL that it is for by --behind"
      )
    }
    let viewers = Admission(cookie: "tidelock-\(socket.port)", kept: kept)
    rules = RequestRules(
      origins: names.origins, anyAddress: names.anyAddress, viewers: viewers,
      tellsAddressesApart: options.externalURL == nil && !options.isLoopback,
      admits: admits)
    let isOpen = admits != nil
    address = names.address
    url = names.address + (isOpen ? "/" : "/?token=\(viewers.text)")
    oneTimeURL = names.address + (isOpen ? "/" : "/?token=\(viewers.oneTime.text)")
  }

  /// Serves the inspector at `/inspect`, with a token of its own. Called before the start.
  package func serveInspector(_ make: @escaping PrivateApp.Maker) {
    if !servesInspector { return }
    let admission = Admission(cookie: "tidelock-inspect-\(socket.port)")
    rules.inspector = admission
    makeInspector = make
    inspectorURL = "\(address)\(PagePlace.inspector.rawValue)?token=\(admission.text)"
  }

  /// The limits on connections, which leave the app enough open files.
  private static func limits(
    _ options: WebOptions, isPrivate: Bool
  ) throws(TideError) -> PageServer.Limits {
    var limits = PageServer.Limits()
    limits.viewers = options.viewers
    // A number that no system allows is refused below.
    let viewers = min(options.viewers, 1 << 24)
    let taken = ownFiles + viewers * (isPrivate ? filesOfSession : 1)
    let waiting = 64 + 8 * viewers
    let allowed = OpenFileLimit.raise(to: taken + waiting)
    guard allowed >= taken + leastWaiting else {
      throw TideError(
        .serving,
        "\(options.viewers) browsers at once need \(taken + leastWaiting) open files and sockets, and the "
          + "system allows \(allowed): raise that (ulimit -n \(taken + leastWaiting)), or let in fewer"
      )
    }
    limits.waiting = min(waiting, allowed - taken)
    return limits
  }

  /// Files that the app itself may have open.
  private static let ownFiles = 64
  /// Sockets and files of a viewer with a private app.
  private static let filesOfSession = 6
  private static let leastWaiting = 32

  /// Advice for an error of listening.
  private static func remedy(_ number: Int32) -> String {
    switch number {
    case EADDRINUSE: "; another program listens there: choose another port"
    case EACCES: "; ports below 1024 are for the system's own servers: choose a higher one"
    case EADDRNOTAVAIL: "; this machine has no such address"
    default: ""
    }
  }

  private static func maker(_ sessions: WebOptions.Sessions) -> PrivateApp.Maker? {
    guard case .private(let make) = sessions else { return nil }
    return { _ in PrivateApp(try make()) }
  }

  /// The function that admits viewers in place of the token; nil for the token.
  private static func admission(
    _ options: WebOptions
  ) throws(TideError) -> (@Sendable (WebRequest) async -> WebPerson?)? {
    if let admits = options.admits { return admits }
    guard let name = options.trustedHeader else { return nil }
    let header = try TrustedHeader(name, from: options.trustedPeers)
    return { header.person(in: $0) }
  }

  private static func certificate(_ options: WebOptions) throws(TideError) -> ServerCertificate? {
    switch (options.certificate, options.key) {
    case (let file?, let key?): return try ServerCertificate(file, key: key)
    case (nil, nil): return nil
    case (_?, nil): throw TideError(.serving, "a certificate needs its key as well")
    case (nil, _?): throw TideError(.serving, "a key needs its certificate as well")
    }
  }

  /// The number of private sessions.
  var sessionCount: Int { sessions?.count ?? 0 }
  /// The session whose values have been saved longest, for tests.
  var firstKeptSession: String? { sessions?.firstKept }
  /// The number of private sessions with a connected page.
  var connectedSessions: Int { sessions?.connectedCount ?? 0 }

  /// Starts the server.
  package func start(for runtime: Runtime) throws {
    renderer.follow(runtime)
    if let starter = starter(runtime.loop) {
      sessions = PrivateSessions(
        runtime.loop, sessionLimits, isDeveloping: isDeveloping, start: starter)
    }
    if let makeInspector {
      var limits = PrivateSessions.Limits()
      limits.sessions = Self.mostInspectors
      limits.idle = Self.idleInspector
      inspectors = PrivateSessions(
        runtime.loop, limits, isDeveloping: false, isForEachPage: true,
        start: threads(makeInspector))
    }
    let relay = Relay(Reports(renderer: renderer, sessions: sessions, inspectors: inspectors))
    let inbox = runtime.loop.inbox
    server = try PageServer(
      socket, rules, limits, certificate: certificate,
      places: inspectors == nil ? [.app] : [.app, .inspector], pictures: pictures
    ) { connection, report in
      inbox.post { relay.content?.take(report, of: connection) }
    }
    self.relay = relay
  }

  /// Starts the app of each viewer; nil if all viewers share one.
  private func starter(_ loop: EventLoop) -> PrivateSessions.Starter? {
    guard let workers else { return makePrivate.map(threads) }
    var configuration = SessionProcess.Configuration(pictures: pictures, options: workers)
    if let startWorker { configuration.start = startWorker }
    return { [unowned self] plan, onEnd throws(TideError) in
      lastWorker += 1
      return try SessionProcess(plan, loop, configuration, number: lastWorker, onEnd: onEnd)
    }
  }

  private func threads(_ make: @escaping PrivateApp.Maker) -> PrivateSessions.Starter {
    let source = SessionThread.Source(pictures: pictures, make: make)
    return { plan, onEnd throws(TideError) in try SessionThread(plan, source, onEnd: onEnd) }
  }

  /// Ends all connections, and the server.
  ///
  /// - Parameter isForGood: whether pages report that the app has ended; otherwise they try to
  ///   reconnect.
  package func stop(isForGood: Bool = true) {
    guard let server else { return }
    self.server = nil
    renderer.end(isForGood ? "The app has ended." : nil)
    inspectors?.stop(isForGood: isForGood)
    inspectors = nil
    sessions?.stop(isForGood: isForGood)
    sessions = nil
    server.stop()
    // Reports of the last connections may still be waiting in the inbox.
    relay?.end()
  }

  deinit { stop() }
}
