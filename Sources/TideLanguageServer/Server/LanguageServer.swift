package import TideCheck
package import TideLua
package import TideScript
package import TideSystem
import TideValues

/// The language server: the state of its client, and the message loop.
///
/// ```swift
/// let connection = try Connection(input: 0, output: 1)
/// let ending = LanguageServer(connection, options: .init()).run()
/// ```
///
/// One thread handles the messages in order, and does deferred work while none is waiting.
package final class LanguageServer {
  /// Information about the edited apps, and settings of the server.
  package struct Options {
    /// The permissions that the apps will have.
    package var access = LuaAccess()
    /// Globals provided by the host.
    package var hostNames: [String] = []
    /// The vocabulary of specs.
    package var specs: SpecVocabulary?
    /// Reads SQL in scripts.
    package var sql: (any SQLReader)?
    /// The program that shows an app in a preview, with arguments that precede the file.
    package var previewProgram: [String] = []
    /// Whether to start the preview page immediately.
    package var servesPreviews = false
    /// The server's version, for the client's log.
    package var version: String?

    package init() {}
  }

  /// The way in which the server ended.
  package struct Ending: Equatable {
    /// The exit code required by the protocol.
    package let code: Int32
    /// The error of the connection, if any.
    package let reason: String?

    package init(code: Int32, reason: String?) {
      self.code = code
      self.reason = reason
    }
  }

  private enum Phase {
    case waiting
    case running
    case shutDown
  }

  package let documents = DocumentStore()
  package let analysis: AppAnalysis
  package private(set) var client = ClientCapabilities()
  /// The folders of the workspace. Documents that are not files belong to the first one.
  package private(set) var roots: [String] = []

  /// The running app, available once the client is initialized.
  var live: LiveApp?
  /// Whether the client wants values from a running app.
  private(set) var startsLive = true
  /// The preview page for browsers, once requested.
  var page: PreviewPage?
  /// The errors of the running app as diagnostics, by file.
  var runningErrors: [String: [JSONValue]] = [:]

  private let connection: Connection
  private let options: Options
  private let features: [any Feature]
  private var handlers = HandlerTable()
  private var phase = Phase.waiting
  private var trace = Trace.off
  /// The callbacks for responses to the server's own requests.
  private var awaited: [RequestID: (JSONValue) -> Void] = [:]
  private var requestCount = 0
  /// Responses prepared by other threads.
  private let madeAnswers = Guarded<[RequestID: Result<JSONValue, ResponseError>]>([:])

  package init(
    _ connection: Connection, options: Options, features: [any Feature] = LanguageServer.features
  ) {
    self.connection = connection
    self.options = options
    self.features = features
    analysis = AppAnalysis(
      access: options.access, hostNames: options.hostNames, specs: options.specs,
      sql: options.sql)
    for feature in features { feature.register(in: &handlers) }
  }

  /// Handles messages until the client ends the session.
  package func run() -> Ending {
    defer {
      live?.end()
      connection.close()
    }
    var rest = RemainingWork.none
    while true {
      switch connection.inbox.next(within: Self.patience(rest)) {
      case .message(let entry):
        if let ending = handle(entry) { return ending }
        rest = phase == .running ? .now : .none
      case .none:
        rest = work()
      case .end(let reason):
        return Ending(code: phase == .shutDown && reason == nil ? 0 : 1, reason: reason)
      }
    }
  }

  /// The time to wait for a message, in seconds.
  private static func patience(_ rest: RemainingWork) -> Double {
    switch rest {
    case .none: .infinity
    case .now: 0
    case .later(let seconds): seconds
    }
  }

  /// Does one part of deferred work.
  private func work() -> RemainingWork {
    var rest = RemainingWork.none
    for feature in features {
      switch feature.work(in: self) {
      case .now: return .now
      case .later(let seconds):
        if case .later(let other) = rest, other < seconds { continue }
        rest = .later(seconds)
      case .none: break
      }
    }
    return rest
  }

  // MARK: Messages

  private func handle(_ entry: Inbox.Entry) -> Ending? {
    switch entry.message {
    case .request(let id, let method, let params):
      if let answer = answer(id, method, params, entry.cancellation) { self.answer(id, answer) }
    case .notification("exit", _):
      return Ending(code: phase == .shutDown ? 0 : 1, reason: nil)
    case .notification(Self.hasMadeAnswers, _):
      sendMadeAnswers()
    case .notification(let method, let params):
      if phase == .running { take(method, params) }
    case .response(let id, let result):
      awaited.removeValue(forKey: id)?(result)
    case .invalid(let id, let error):
      respond(to: id, .failure(error))
    }
    return nil
  }

  /// Responds to a request whose handler threw `RequestContext.Later`.
  package func answer(_ id: RequestID, _ answer: Result<JSONValue, ResponseError>) {
    connection.inbox.noteAnswer(to: id)
    respond(to: id, answer)
  }

  private static let hasMadeAnswers = "$/tidelock/hasMadeAnswers"

  /// Prepares the response to a request on a separate thread, where it may block. The handler must
  /// throw the result of this call.
  func answerLater(
    _ context: RequestContext, _ make: @escaping @Sendable () -> Result<JSONValue, ResponseError>
  ) -> any Error {
    let wake = wake
    let thread = SystemThread { [madeAnswers, id = context.id] in
      let answer = make()
      madeAnswers.withLock { $0[id] = answer }
      wake(Self.hasMadeAnswers, [:])
    }
    guard let thread else { return ResponseError(.requestFailed, "no thread can be started") }
    thread.detach()
    return RequestContext.Later()
  }

  private func sendMadeAnswers() {
    let made = madeAnswers.withLock { answers in
      defer { answers = [:] }
      return answers
    }
    for (id, answer) in made { self.answer(id, answer) }
  }

  /// The response to a request; nil if it is sent later.
  private func answer(
    _ id: RequestID, _ method: String, _ params: JSONValue, _ cancellation: Cancellation
  ) -> Result<JSONValue, ResponseError>? {
    if cancellation.isCancelled { return .failure(.cancelled) }
    switch (phase, method) {
    case (.waiting, "initialize"): return .success(initialize(params))
    case (.waiting, _):
      return .failure(ResponseError(.serverNotInitialized, "initialize has to come first"))
    case (.running, "shutdown"):
      phase = .shutDown
      return .success(nil)
    case (.running, "initialize"):
      return .failure(ResponseError(.invalidRequest, "initialize may come once only"))
    case (.shutDown, _):
      return .failure(ResponseError(.invalidRequest, "the server has been shut down"))
    case (.running, _): break
    }
    guard let handler = handlers.request(method) else {
      return .failure(ResponseError(.methodNotFound, "unknown method: \(method)"))
    }
    let start = ContinuousClock.now
    analysis.cancellation = cancellation
    defer {
      analysis.cancellation = nil
      traceTime(of: method, since: start)
    }
    do {
      let result = try handler(
        params, RequestContext(server: self, id: id, cancellation: cancellation))
      // The result of a cancelled request may be incomplete.
      return cancellation.isCancelled ? .failure(.cancelled) : .success(result)
    } catch is RequestContext.Later {
      return nil
    } catch {
      return .failure(
        error as? ResponseError ?? ResponseError(.requestFailed, "\(method): \(error)"))
    }
  }

  private func take(_ method: String, _ params: JSONValue) {
    let start = ContinuousClock.now
    for handler in handlers.notification(method) {
      do { try handler(params, self) } catch {
        let message = (error as? ResponseError)?.message ?? "\(error)"
        log(.error, "\(method): \(message)")
      }
    }
    traceTime(of: method, since: start)
  }

  private func respond(to id: RequestID?, _ answer: Result<JSONValue, ResponseError>) {
    var message: JSONValue = ["jsonrpc": "2.0", "id": id?.json ?? .null]
    switch answer {
    case .success(let result): message["result"] = result
    case .failure(let error): message["error"] = error.json
    }
    connection.send(message)
  }

  private func initialize(_ params: JSONValue) -> JSONValue {
    phase = .running
    client = ClientCapabilities(params["capabilities"])
    documents.encoding = client.encoding
    setRoots(Self.roots(in: params))
    trace = Trace(params["trace"])
    startsLive = params["initializationOptions"]["live"].bool ?? true
    if let process = params["processId"].int.flatMap(Int32.init(exactly:)) {
      connection.follow(process: process)
    }
    var capabilities: JSONValue = ["positionEncoding": .string(client.encoding.rawValue)]
    for feature in features {
      for field in feature.capabilities(for: client).fields ?? [] {
        capabilities[field.name] = field.value
      }
    }
    var information: JSONValue = ["name": "tidelock"]
    if let version = options.version { information["version"] = .string(version) }
    return ["capabilities": capabilities, "serverInfo": information]
  }

  /// Notifies the features of a change.
  package func note(_ event: WorkspaceEvent) {
    for feature in features { feature.note(event, in: self) }
  }

  // MARK: Roots

  private static func roots(in params: JSONValue) -> [String] {
    if let folders = params["workspaceFolders"].array, !folders.isEmpty {
      return folders.compactMap { $0["uri"].string.flatMap(DocumentURI.path) }
    }
    if let uri = params["rootUri"].string { return DocumentURI.path(of: uri).map { [$0] } ?? [] }
    return params["rootPath"].string.flatMap { $0.hasPrefix("/") ? [$0] : nil } ?? []
  }

  /// Sets the folders of the workspace.
  package func setRoots(_ roots: [String]) {
    self.roots = roots
    analysis.roots = roots
    // Paths of open documents do not change.
    if documents.all.isEmpty {
      documents.home = roots.first ?? SystemPath.real(".") ?? "/"
    }
    note(.rootsChanged)
  }

  /// The innermost root that contains a file.
  package func root(of path: String) -> String? {
    roots.filter { $0 == "/" || path.hasPrefix($0 + "/") }.max { $0.utf8.count < $1.utf8.count }
  }

  // MARK: Sending

  /// Sends a notification. With a topic, it replaces pending notifications of the same topic.
  package func notify(_ method: String, _ params: JSONValue, topic: String? = nil) {
    connection.send(["jsonrpc": "2.0", "method": .string(method), "params": params], topic: topic)
  }

  /// Posts a notification to the server's own thread; callable from any thread.
  package var wake: @Sendable (_ method: String, _ params: JSONValue) -> Void {
    let inbox = connection.inbox
    return { method, params in inbox.post(.notification(method: method, params)) }
  }

  var servesPreviews: Bool { options.servesPreviews }
  var previewProgram: [String] { options.previewProgram }

  /// Sends a request to the client. A function receives the result, or null after an error.
  package func request(
    _ method: String, _ params: JSONValue, then body: @escaping (JSONValue) -> Void = { _ in }
  ) {
    requestCount += 1
    let id = RequestID.string("tidelock-\(requestCount)")
    awaited[id] = body
    connection.send([
      "jsonrpc": "2.0", "id": id.json, "method": .string(method), "params": params,
    ])
  }

  /// The severity of a log message.
  package enum LogLevel: Int {
    case error = 1
    case warning, information, log
  }

  /// Writes to the client's log.
  package func log(_ level: LogLevel, _ message: String) {
    notify("window/logMessage", ["type": .int(level.rawValue), "message": .string(message)])
  }

  // MARK: Trace

  /// The client's level of tracing.
  private enum Trace: String {
    case off, messages, verbose

    init(_ value: JSONValue) { self = value.string.flatMap(Self.init) ?? .off }
  }

  func setTrace(_ value: JSONValue) { trace = Trace(value) }

  private func traceTime(of method: String, since start: ContinuousClock.Instant) {
    if trace == .off { return }
    let taken = ContinuousClock.now - start
    notify("$/logTrace", ["message": "\(method) took \(taken)"])
  }
}
