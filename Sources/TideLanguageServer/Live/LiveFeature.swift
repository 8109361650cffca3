import TideCheck
import TideSystem
import TideValues

/// Information from the running app: values, causes, errors, and the value of the selected text.
final class LiveFeature: Feature {
  private static let hasChanged = "$/tidelock/liveHasChanged"
  /// The files whose errors are shown.
  private var shown: Set<String> = []
  private var isStarted = false
  /// Whether texts have changed since the followed apps were last determined.
  private var isLate = false
  private var lastChange = ContinuousClock.now

  func capabilities(for client: ClientCapabilities) -> JSONValue {
    ["executeCommandProvider": ["commands": ["tidelock.evaluate", "tidelock.preview"]]]
  }

  func register(in handlers: inout HandlerTable) {
    handlers.onNotification("initialized") { [unowned self] _, server in start(server) }
    handlers.onNotification(Self.hasChanged) { [unowned self] _, server in show(server) }
    handlers.onNotification("workspace/didChangeConfiguration") { params, server in
      if let isLive = params["settings"]["tidelock"]["live"].bool {
        server.live?.isEnabled = isLive
      }
    }
    handlers.onRequest("workspace/executeCommand") { [unowned self] params, context in
      switch params["command"].string {
      case "tidelock.evaluate": return try evaluate(params["arguments"], context)
      case "tidelock.preview": return try context.server.previewPage(params["arguments"][0])
      case let name:
        throw ResponseError(.invalidParams, "there is no command \(name ?? "without a name")")
      }
    }
  }

  private func start(_ server: LanguageServer) {
    if isStarted { return }
    isStarted = true
    let wake = server.wake
    let live = LiveApp { wake(Self.hasChanged, [:]) }
    live.isEnabled = server.startsLive
    if live.start() { server.live = live }
    isLate = true
  }

  private func evaluate(_ arguments: JSONValue, _ context: RequestContext) throws
    -> JSONValue
  {
    guard let text = arguments[0]["text"].string ?? arguments[0].string else {
      throw ResponseError(.invalidParams, "tidelock.evaluate takes the text that is to be run")
    }
    guard let live = context.server.live, live.isAttached else { throw Self.nothingRuns }
    // Evaluation may take long, so the server's thread does not wait for it.
    throw context.server.answerLater(context) {
      live.evaluate(text, seconds: 5).map { .success(.string($0)) } ?? .failure(Self.nothingRuns)
    }
  }

  private static let nothingRuns = ResponseError(
    .requestFailed,
    "no app of this workspace is running, or it does not answer; start one with tidelock run"
  )

  func note(_ event: WorkspaceEvent, in server: LanguageServer) {
    isLate = true
    lastChange = .now
  }

  /// Determines, during a pause, the apps to follow and the values to request.
  func work(in server: LanguageServer) -> RemainingWork {
    guard isLate, let live = server.live, live.isEnabled else { return .none }
    if ContinuousClock.now - lastChange < .milliseconds(200) { return .later(0.2) }
    isLate = false
    follow(live, server)
    return .none
  }

  private func follow(_ live: LiveApp, _ server: LanguageServer) {
    var apps: [FollowedApp] = []
    for document in server.documents.all {
      guard let snapshot = try? server.analysis.snapshot(for: document.path) else { continue }
      guard let script = snapshot.analysis(of: document.path) else { continue }
      let paths = script.livePaths(in: 0..<script.bytes.count).map(\.path)
      for main in snapshot.appScripts(of: document.path) where !main.isRequired {
        let index = apps.firstIndex { $0.script == main.path } ?? apps.count
        if index == apps.count {
          apps.append(FollowedApp(script: main.path, files: [], paths: []))
        }
        apps[index].files.insert(document.path)
        let known = Set(apps[index].paths)
        var seen = known
        apps[index].paths += paths.filter { seen.insert($0).inserted }
      }
    }
    // A half-typed text must not end the connection to the app.
    if !apps.isEmpty || server.documents.all.isEmpty { live.follow(apps) }
  }

  // MARK: Errors

  private func show(_ server: LanguageServer) {
    guard let live = server.live else { return }
    if server.client.refreshesInlayHints { server.request("workspace/inlayHint/refresh", nil) }
    var errors: [String: [JSONValue]] = [:]
    for line in live.errors {
      guard let error = RunningError(line) else { continue }
      let file = server.roots.map { SystemPath.joined($0, error.file) }.first {
        access($0, F_OK) == 0
      }
      let path = error.file.hasPrefix("/") ? error.file : file ?? SystemPath.absolute(error.file)
      // Errors in evaluated texts do not belong to a file.
      guard access(path, F_OK) == 0 else { continue }
      let start = TextPosition(line: max(0, error.line - 1), character: max(0, error.column - 1))
      errors[path, default: []].append([
        "range": TextRange(start: start, end: start).json, "severity": 1,
        "source": "tidelock run", "code": .string(error.code), "message": .string(error.message),
      ])
    }
    server.runningErrors = errors
    for path in shown.union(errors.keys) { server.note(.errorsChanged(path)) }
    shown = Set(errors.keys)
  }
}
