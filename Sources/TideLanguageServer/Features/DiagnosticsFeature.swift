import TideBindings
import TideCheck
import TideScript
import TideSystem

/// Sends the results of `tidelock check` to the client: for open documents soon after each change,
/// and for other files of the workspace when idle.
final class DiagnosticsFeature: Feature {
  /// The maximum number of diagnostics per file.
  private static let limit = 1000

  /// The files to check first: open documents.
  private var urgent = CheckQueue()
  /// The other files to check.
  private var waiting = CheckQueue()
  /// The diagnostics that the client shows, by path.
  private var shown: [String: [JSONValue]] = [:]
  /// The URIs with which the diagnostics were sent, by path, in the client's spelling.
  private var uris: [String: String] = [:]
  /// The analysis generation for which the open documents have been checked.
  private var generation = 0
  /// Documents that were closed and not checked since.
  private var closed: Set<String> = []
  /// The remaining files of the workspace, not yet enumerated.
  private var files = RootFiles([])
  /// The queue and files to check once typing has paused.
  private var paused = CheckQueue()
  private var pausedFiles = RootFiles([])
  /// The versions of open documents for which diagnostics were sent.
  private var versions: [String: Int?] = [:]
  private var lastChange = ContinuousClock.now
  private static let pause = Duration.milliseconds(300)

  func capabilities(for client: ClientCapabilities) -> JSONValue {
    guard client.onlyPullsDiagnostics else { return [:] }
    return [
      "diagnosticProvider": [
        "identifier": "tidelock", "interFileDependencies": true, "workspaceDiagnostics": false,
      ]
    ]
  }

  func register(in handlers: inout HandlerTable) {
    handlers.onRequest("textDocument/diagnostic") { params, context in
      let server = context.server
      let path = server.documents.path(of: try RequestContext.uri(in: params))
      let items =
        try (Self.diagnostics(of: path, in: server) ?? []) + (server.runningErrors[path] ?? [])
      return ["kind": "full", "items": .array(items)]
    }
  }

  // MARK: Scheduling

  func note(_ event: WorkspaceEvent, in server: LanguageServer) {
    if server.client.onlyPullsDiagnostics { return }
    switch event {
    case .opened(let path):
      urgent.add(path)
      addChanged(in: server)
    case .changed(let path):
      urgent.add(path)
      // Other files may use this file's declarations. Files that are not open are checked during a
      // pause.
      addOpen(in: server)
      for path in shown.keys.sorted() { paused.add(path) }
      pausedFiles = RootFiles(server.analysis.appRoots)
      lastChange = .now
    case .closed(let path):
      closed.insert(path)
      urgent.add(path)
      addChanged(in: server)
    case .filesChanged(let paths):
      addAll(in: server)
      // Hidden folders do not belong to an app.
      for path in paths where path.hasSuffix(".lua") && !path.contains("/.") { waiting.add(path) }
    case .saved, .rootsChanged: addAll(in: server)
    case .errorsChanged(let path):
      closed.insert(path)
      urgent.add(path)
    }
  }

  /// Adds the open documents if anything has changed since they were checked.
  private func addChanged(in server: LanguageServer) {
    if generation != server.analysis.generation { addOpen(in: server) }
  }

  private func addOpen(in server: LanguageServer) {
    generation = server.analysis.generation
    for document in server.documents.all { urgent.add(document.path) }
  }

  private func addAll(in server: LanguageServer) {
    addOpen(in: server)
    for path in shown.keys.sorted() { waiting.add(path) }
    files = RootFiles(server.analysis.appRoots)
  }

  func work(in server: LanguageServer) -> RemainingWork {
    if let path = urgent.next() ?? waiting.next() {
      show(path, in: server)
    } else if let found = files.next() {
      for path in found { waiting.add(path) }
    } else {
      return workInPause(server)
    }
    return .now
  }

  /// Checks files that a change may affect, once typing has paused.
  private func workInPause(_ server: LanguageServer) -> RemainingWork {
    let left = Self.pause - (ContinuousClock.now - lastChange)
    if !paused.isEmpty || pausedFiles.hasMore, left > .zero {
      return .later(Double(left.components.attoseconds) / 1e18 + Double(left.components.seconds))
    }
    if let path = paused.next() {
      show(path, in: server)
    } else if let found = pausedFiles.next() {
      for path in found { paused.add(path) }
    } else {
      return .none
    }
    return .now
  }

  // MARK: Publishing

  private func show(_ path: String, in server: LanguageServer) {
    waiting.remove(path)
    let items: [JSONValue]
    do {
      items =
        try (Self.diagnostics(of: path, in: server) ?? []) + (server.runningErrors[path] ?? [])
    } catch {
      server.log(.error, "\(path) cannot be checked: \(error)")
      return
    }
    let document = server.documents[path: path]
    let uri = server.documents.uri(of: path)
    let former = shown[path]
    shown[path] = items.isEmpty ? nil : items
    // A client expects diagnostics for a document that it has opened or closed, even unchanged
    // ones.
    let isClosed = closed.remove(path) != nil
    let isAwaited = isClosed || document != nil && versions[path] != .some(document?.version)
    versions[path] = document.map { .some($0.version) } ?? nil
    let formerURI = uris[path] ?? uri
    if formerURI != uri { publish([], of: formerURI, in: server) }
    uris[path] = items.isEmpty && document == nil ? nil : uri
    if !isAwaited && former ?? [] == items && formerURI == uri { return }
    publish(items, of: uri, version: document?.version, in: server)
  }

  private func publish(
    _ items: [JSONValue], of uri: String, version: Int? = nil, in server: LanguageServer
  ) {
    var params: JSONValue = ["uri": .string(uri)]
    if let version { params["version"] = .int(version) }
    params["diagnostics"] = .array(items)
    server.notify("textDocument/publishDiagnostics", params, topic: uri)
  }

  /// The diagnostics of a file; nil if there is no such file.
  private static func diagnostics(
    of path: String, in server: LanguageServer
  ) throws -> [JSONValue]? {
    // The problems of a file that is open through a symbolic link belong to that document.
    if server.documents[path: path] == nil, server.analysis.editedPath(of: path) != nil {
      return []
    }
    guard let problems = try server.analysis.problems(of: path) else { return nil }
    if problems.isEmpty { return [] }
    let text = server.positions(
      in: try server.analysis.bytes(of: path) ?? contents(of: path), of: path)
    let ranges = ProblemRange(in: text.bytes)
    let folder = server.root(of: path).map { $0 == "/" ? $0 : $0 + "/" }
    return problems.prefix(limit).map { problem in
      diagnostic(problem, text.range(of: ranges.range(of: problem)), in: folder)
    }
  }

  private static func diagnostic(
    _ problem: Problem, _ range: TextRange, in folder: String?
  ) -> JSONValue {
    let told = problem.diagnostic
    // Messages use file names relative to the root, as `tidelock check` does there.
    let message = folder.map { told.message.replacing($0, with: "") } ?? told.message
    var diagnostic: JSONValue = [
      "range": range.json, "severity": told.severity == .error ? 1 : 2,
      "code": .string(told.label), "source": "tidelock", "message": .string(message),
    ]
    if unused.contains(told.code) { diagnostic["tags"] = [1] }
    return diagnostic
  }

  /// Problems about unused code, which clients show faded.
  private static let unused: Set<TideError.Code> = [
    .unusedModel, .unusedTransformer, .unusedID, .unreachableBinding, .unusedLocal,
  ]

  /// The file's contents without a byte order mark, as clients show it.
  private static func contents(of path: String) -> [UInt8] {
    guard let bytes = try? ScriptFile.bytes(of: path, limit: 16 << 20, "a script file") else {
      return []
    }
    return bytes.starts(with: [0xef, 0xbb, 0xbf]) ? Array(bytes.dropFirst(3)) : bytes
  }
}

/// A queue of paths to check, each at most once.
private struct CheckQueue {
  private var paths: [String] = []
  private var first = 0
  private var members: Set<String> = []

  mutating func add(_ path: String) {
    if members.insert(path).inserted { paths.append(path) }
  }

  var isEmpty: Bool { members.isEmpty }

  mutating func remove(_ path: String) { members.remove(path) }

  mutating func next() -> String? {
    while first < paths.count {
      let path = paths[first]
      first += 1
      if members.remove(path) != nil { return path }
    }
    (paths, first) = ([], 0)
    return nil
  }
}
