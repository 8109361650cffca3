#if Web
  import ArgumentParser
  import TideBindings
  import TideLua
  import TideREPL
  import TideReload
  import TideScript
  import TideViews
  import TideWeb

  /// Where an app is served.
  struct ServeOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The port to listen at (default: a free one).", valueName: "number"))
    var port: Int?

    @Option(
      help: ArgumentHelp(
        "The address to listen at (default: 127.0.0.1, which this machine alone reaches).",
        valueName: "address"))
    var listen: String?

    @Option(
      help: ArgumentHelp(
        "The certificate to encrypt with, as PEM; needs --key.", valueName: "file"),
      completion: .file())
    var certificate: String?

    @Option(
      help: ArgumentHelp("The private key of the certificate, as PEM.", valueName: "file"),
      completion: .file())
    var key: String?

    @Option(
      help: ArgumentHelp(
        "Whether all browsers show one app, or each has its own: shared, private.",
        valueName: "how"))
    var sessions = SessionChoice.shared

    @Flag(
      help:
        "With --sessions private, run each session in a process of its own, which ends alone when it crashes, hangs or takes too much memory."
    )
    var workers = false

    @Flag(help: "Serve other machines without encryption, for example behind a reverse proxy.")
    var insecure = false

    @Option(
      help: ArgumentHelp(
        "The URL by which browsers reach it through a reverse proxy.",
        valueName: "URL"))
    var behind: String?

    @Option(
      help: ArgumentHelp(
        "A file that keeps the token, so that the address and cookies stay valid over restarts; made if missing (default: with --port, one in the state folder).",
        valueName: "file"),
      completion: .file())
    var tokenFile: String?

    @Option(
      help: ArgumentHelp(
        "Let in only the people whom a reverse proxy names in this header, in place of the token.",
        valueName: "header"))
    var trustHeader: String?

    @Option(
      help: ArgumentHelp(
        "The address of a proxy whose --trust-header is believed (default: any on this machine; may be repeated).",
        valueName: "address"))
    var trustFrom: [String] = []

    @Flag(
      help: ArgumentHelp(
        "Serve the inspector, which runs Lua in the app and in every private session, to other machines as well.",
        discussion: "It has an address and a token of its own."))
    var inspect = false

    @Flag(name: .customLong("open"), help: "Open it in a browser: $BROWSER, or the desktop's.")
    var opensBrowser = false

    func validate() throws {
      if (certificate == nil) != (key == nil) {
        throw ValidationError("--certificate and --key are given together.")
      }
      if !insecure, certificate == nil, !options.isLoopback {
        throw ValidationError(
          "--listen \(options.address) serves other machines, and what is typed could be read on the "
            + "way: encrypt it by --certificate and --key, or add --insecure where that does not matter."
        )
      }
      if inspect, workers {
        throw ValidationError(
          "--inspect looks into sessions of this process, and --workers gives each a process of its "
            + "own: leave one of them out.")
      }
      if workers, sessions != .private {
        throw ValidationError(
          "--workers gives each private session a process of its own: add --sessions private.")
      }
      if trustHeader == nil, !trustFrom.isEmpty {
        throw ValidationError("--trust-from says whose --trust-header counts: add that.")
      }
      if let port, !(1...65535).contains(port) {
        throw ValidationError("--port is 1 to 65535, not \(port).")
      }
    }

    /// Whether to serve the inspector to developers of a watched app.
    private var servesInspector: Bool { inspect || options.isLoopback && behind == nil }

    private var options: WebOptions {
      var options = WebOptions(address: listen ?? "127.0.0.1", port: port ?? 0)
      options.certificate = certificate
      options.key = key
      options.externalURL = behind
      options.trustedHeader = trustHeader
      options.trustedPeers = trustFrom
      return options
    }

    /// - Parameter session: the run whose options include the limits for serving.
    func service(isDeveloping: Bool, of session: RunSession) throws -> any PageService {
      var options = options
      let budgets = session.options.runtime.budgets
      if let viewers = budgets.number("viewers") { options.viewers = viewers }
      if let idle = budgets.number("idle") { options.idle = Double(idle) }
      if let tokenFile { try TokenFile(tokenFile).requireOutside(of: openFolders(of: session)) }
      options.tokenFile = tokenFile ?? keptToken(of: session)
      if isDeveloping, sessions == .private, !workers, servesInspector {
        session.inspectedSessions = InspectedSessions(name: RunningApp.name(ofScript: session.file))
      }
      let service = try WebService(
        options, isDeveloping: isDeveloping,
        makePrivate: sessions == .private && !workers
          ? PrivateRun.maker(
            session.file, session.options, session.sharing?.shared, session.inspectedSessions)
          : nil,
        workers: workers ? workerOptions(of: session) : nil)
      if let warning = service.warning { session.reporter.warn(warning) }
      service.servesInspector = servesInspector
      return service
    }
  }

  extension ServeOptions {
    /// The token file in the app's state folder; nil if the port changes with each run, or without
    /// a state folder.
    private func keptToken(of session: RunSession) -> String? {
      guard port != nil, let folder = SettingsFolder.path(ofApp: session.file) else { return nil }
      let file = "\(folder)/serve-token"
      do throws(TideError) {
        try TokenFile(file).requireOutside(of: openFolders(of: session))
        _ = try TokenFile(file).kept(makesFolder: true)
      } catch {
        session.reporter.warn(error)
        return nil
      }
      return file
    }

    /// The folders that scripts may access.
    private func openFolders(of session: RunSession) -> [String] {
      let access = session.options.runtime.allowances.access
      return access.read + access.write + access.store
    }

    /// With a NATS server, each worker connects to it directly.
    private func workerOptions(of session: RunSession) -> WorkerOptions {
      let turn = session.configuration().lua.turn ?? .seconds(5)
      return WorkerOptions(turn: turn / .seconds(1), shared: SharedModels()) {
        [unowned session] number, line, isFault in
        session.tell(ofSession: number, line, isFault: isFault)
      }
    }
  }

  /// The values of `--sessions`.
  enum SessionChoice: String, CaseIterable, ExpressibleByArgument {
    case shared
    case `private`
  }

  extension WebService: PageService {
    var pages: any InteractiveRenderer { renderer }
    var viewerCount: Int { renderer.viewerCount }
    func leaveLead() { renderer.leaveLead() }
    func report(_ line: String) { renderer.report(line) }
    func showFailure(_ text: String?) { renderer.showFailure(text) }
    func errorsChanged() { renderer.errorsChanged() }
    func show(_ inspected: any InspectionSource) { serveInspector(InspectorPage.maker(inspected)) }
  }
#endif
