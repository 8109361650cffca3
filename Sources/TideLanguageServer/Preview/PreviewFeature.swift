import TideBindings
import TideCheck
import TideSystem
import TideValues

/// Shows the view of an app beside its text, including unsaved changes.
///
/// The request `tidelock/preview` returns a picture of the current texts. After the first request,
/// each change creates a new picture, announced by `tidelock/previewChanged`. An app has one run at
/// a time; changes made meanwhile are shown by the next run.
final class PreviewFeature: Feature {
  /// The preview of one app.
  private final class Preview {
    /// The documents for which the preview was requested.
    var paths: Set<String> = []
    /// The scripts shown in the latest picture.
    var shown: PreviewApp?
    /// The scripts of the current run.
    var running: PreviewApp?
    var picture: JSONValue = nil
    var message: String?
    /// Requests waiting for the picture of the current run.
    var waiting: [Request] = []
    /// Requests waiting for the next run, because the texts have changed since.
    var later: [Request] = []

    /// Removes the requests of a document.
    func takeRequests(of path: String) -> [Request] {
      let taken = (waiting + later).filter { $0.path == path }
      waiting.removeAll { $0.path == path }
      later.removeAll { $0.path == path }
      return taken
    }
  }

  private struct Request {
    let id: RequestID
    let path: String
    let position: JSONValue
  }

  private var previews: [String: Preview] = [:]
  /// The apps waiting for a free run.
  private var pending: [String] = []
  private static let mostRuns = 2
  /// The last known caret position, by document.
  private var carets: [String: JSONValue] = [:]
  private let results = Guarded<[String: PreviewRun.Result]>([:])
  /// The accepted line numbers from outside, limited so that sums cannot overflow.
  private static let lines = 1..<(1 << 30)
  private static let hasRun = "$/tidelock/previewHasRun"

  func capabilities(for client: ClientCapabilities) -> JSONValue {
    ["experimental": ["tidelockPreview": true]]
  }

  func register(in handlers: inout HandlerTable) {
    handlers.onRequest("tidelock/preview") { [unowned self] params, context in
      try show(params, context)
    }
    handlers.onNotification("initialized") { _, server in
      if server.servesPreviews { server.announcePreviews() }
    }
    handlers.onNotification(PreviewPage.wanted) { [unowned self] params, server in
      if let uri = params["uri"].string { showPage(uri, server) }
    }
    handlers.onNotification(PreviewPage.clicked) { [unowned self] params, server in
      guard let uri = params["uri"].string, let line = params["line"].int, server.page != nil,
        Self.lines.contains(line), isShown(server.documents.path(of: uri))
      else { return }
      let start = TextPosition(line: line - 1, character: 0)
      server.request(
        "window/showDocument",
        [
          "uri": .string(uri), "takeFocus": true,
          "selection": TextRange(start: start, end: start).json,
        ])
    }
    handlers.onNotification("tidelock/cursor") { [unowned self] params, server in
      let path = server.documents.path(of: try RequestContext.uri(in: params))
      carets[path] = params["position"]
      guard server.page != nil else { return }
      for preview in previews.values where preview.paths.contains(path) {
        renewPage(preview, server)
      }
    }
    handlers.onNotification(Self.hasRun) { [unowned self] params, server in
      // Clients may send this too, but only a finished run has left a result.
      guard let key = params["app"].string,
        let result = results.withLock({ $0.removeValue(forKey: key) })
      else { return }
      take(result, of: key, server)
    }
  }

  func note(_ event: WorkspaceEvent, in server: LanguageServer) {
    switch event {
    case .closed(let path):
      carets[path] = nil
      server.page?.forget { server.documents.path(of: $0) == path }
      for preview in previews.values where preview.paths.contains(path) {
        preview.paths.remove(path)
        // Their picture may never be created.
        answer(preview.takeRequests(of: path), preview, server)
      }
      previews = previews.filter { !$0.value.paths.isEmpty || $0.value.running != nil }
    case .errorsChanged: break
    case .opened, .changed, .saved, .filesChanged, .rootsChanged:
      for (key, preview) in previews { renew(preview, key, server) }
    }
  }

  // MARK: Requests

  private func show(_ params: JSONValue, _ context: RequestContext) throws -> JSONValue {
    let server = context.server
    let path = server.documents.path(of: try RequestContext.uri(in: params))
    guard let snapshot = try server.analysis.snapshot(for: path) else {
      throw ResponseError(.invalidParams, "there is no such script: \(path)")
    }
    let known = previews.first { $0.value.paths.contains(path) }
    guard let app = PreviewApp(of: path, in: snapshot) else {
      if let known {
        var answer = answer(known.value, path, params["position"], server)
        answer["message"] = .string(Self.reason(path, snapshot))
        return answer
      }
      let message =
        snapshot.appScripts(of: path).isEmpty
        ? Self.reason(path, snapshot) : "no script of this app shows a view"
      return ["svg": nil, "views": [], "message": .string(message)]
    }
    let key = SystemPath.joined(app.folder, app.main)
    let preview = previews[key] ?? Preview()
    previews[key] = preview
    preview.paths.insert(path)
    if preview.shown == app, preview.running == nil {
      return answer(preview, path, params["position"], server)
    }
    let request = Request(id: context.id, path: path, position: params["position"])
    if preview.running == nil { start(app, preview, key, server) }
    if preview.running == app {
      preview.waiting.append(request)
    } else {
      preview.later.append(request)
    }
    throw RequestContext.Later()
  }

  /// The reason why a previously shown app can no longer run.
  private static func reason(_ path: String, _ snapshot: WorkspaceSnapshot) -> String {
    if snapshot.isWellFormed(path) { return "a script of this app has a syntax error" }
    guard let error = snapshot.problems(in: path).first?.error else {
      return "the script has a syntax error"
    }
    let line = error.location.map { ":\($0.line)" } ?? ""
    let name = path.split(separator: "/").last ?? ""
    return "\(name)\(line): \(error.message)"
  }

  /// Sends the picture of a document to the page; starts creating one if there is none.
  private func showPage(_ uri: String, _ server: LanguageServer) {
    guard let page = server.page else { return }
    let path = server.documents.path(of: uri)
    if let known = previews.values.first(where: { $0.paths.contains(path) }) {
      return page.show(answer(known, path, carets[path] ?? nil, server), of: uri)
    }
    guard let snapshot = try? server.analysis.snapshot(for: path),
      let app = PreviewApp(of: path, in: snapshot)
    else {
      return page.show(["message": "no script of this app shows a view"], of: uri)
    }
    let key = SystemPath.joined(app.folder, app.main)
    let preview = previews[key] ?? Preview()
    previews[key] = preview
    preview.paths.insert(path)
    if preview.running == nil { start(app, preview, key, server) }
  }

  /// Whether a file is a script of a shown app.
  private func isShown(_ path: String) -> Bool {
    previews.values.contains { preview in
      guard let app = preview.shown else { return false }
      return app.scripts.contains { SystemPath.joined(app.folder, $0.name) == path }
    }
  }

  private func renewPage(_ preview: Preview, _ server: LanguageServer) {
    guard let page = server.page else { return }
    for path in preview.paths {
      page.show(
        answer(preview, path, carets[path] ?? nil, server), of: server.documents.uri(of: path))
    }
  }

  /// Starts a new run if the texts differ from those of the last picture.
  private func renew(_ preview: Preview, _ key: String, _ server: LanguageServer) {
    guard preview.running == nil, let path = preview.paths.min(),
      let snapshot = try? server.analysis.snapshot(for: path),
      let app = PreviewApp(of: path, in: snapshot), app != preview.shown
    else { return }
    start(app, preview, key, server)
  }

  private func start(
    _ app: PreviewApp, _ preview: Preview, _ key: String, _ server: LanguageServer
  ) {
    guard previews.values.count(where: { $0.running != nil }) < Self.mostRuns else {
      // Limited, because many simultaneous runs would slow each other down.
      if !pending.contains(key) { pending.append(key) }
      return
    }
    preview.running = app
    let run = PreviewRun(program: server.previewProgram, app: app)
    let wake = server.wake
    let thread = SystemThread { [results] in
      let result = run.run()
      results.withLock { $0[key] = result }
      wake(Self.hasRun, ["app": .string(key)])
    }
    if let thread { return thread.detach() }
    results.withLock { $0[key] = PreviewRun.Result(failure: "no thread can be started") }
    wake(Self.hasRun, ["app": .string(key)])
  }

  // MARK: Results

  private func take(_ result: PreviewRun.Result, of key: String, _ server: LanguageServer) {
    defer { startPending(server) }
    guard let preview = previews[key], let app = preview.running else { return }
    preview.running = nil
    preview.shown = app
    preview.message = nil
    if let bytes = result.picture, let picture = try? JSONValue(parsing: bytes),
      picture["svg"].string != nil
    {
      preview.picture = picture
    } else {
      preview.message =
        result.failure ?? Self.message(in: result.errors)
        ?? "the app has ended without showing a view"
    }
    renewPage(preview, server)
    let answered = Set(preview.waiting.map(\.path))
    answer(preview.waiting, preview, server)
    preview.waiting = preview.later
    preview.later = []
    for path in preview.paths.subtracting(answered).sorted() {
      let uri = server.documents.uri(of: path)
      server.notify("tidelock/previewChanged", ["uri": .string(uri)], topic: "preview \(uri)")
    }
    renew(preview, key, server)
    if preview.running == nil {
      // No run follows, because the texts have not changed or cannot be run.
      answer(preview.waiting, preview, server)
      preview.waiting = []
      if preview.paths.isEmpty { previews[key] = nil }
    }
  }

  private func startPending(_ server: LanguageServer) {
    while !pending.isEmpty, previews.values.count(where: { $0.running != nil }) < Self.mostRuns {
      let key = pending.removeFirst()
      guard let preview = previews[key] else { continue }
      renew(preview, key, server)
      if preview.running != nil { continue }
      answer(preview.later, preview, server)
      preview.later = []
    }
  }

  private func answer(_ requests: [Request], _ preview: Preview, _ server: LanguageServer) {
    for request in requests {
      server.answer(request.id, .success(answer(preview, request.path, request.position, server)))
    }
  }

  /// The first error reported by the app, with its location.
  private static func message(in errors: [UInt8]) -> String? {
    for line in errors.split(separator: UInt8(ascii: "\n")) {
      guard let report = try? JSONValue(parsing: Array(line)), let text = report["message"].string
      else { continue }
      let place = report["file"].string.map { file in
        report["line"].int.map { "\(file):\($0): " } ?? "\(file): "
      }
      return (place ?? "") + text
    }
    let text = String(decoding: errors.prefix(1000), as: UTF8.self)
    return text.isEmpty ? nil : text
  }

  private func answer(
    _ preview: Preview, _ path: String, _ position: JSONValue, _ server: LanguageServer
  ) -> JSONValue {
    guard let app = preview.shown else { return ["svg": nil, "views": []] }
    let line = position["line"].int.flatMap { Self.lines.contains($0 &+ 1) ? $0 + 1 : nil }
    var current: Int?
    var views: [JSONValue] = []
    for view in preview.picture["views"].array ?? [] {
      guard let name = view["file"].string, let number = view["line"].int,
        Self.lines.contains(number)
      else { continue }
      let file = SystemPath.joined(app.folder, name)
      // The last view that begins at or above the caret's line.
      if file == path, let line, number <= line,
        current.map({ views[$0]["line"].int ?? 0 <= number }) ?? true
      {
        current = views.count
      }
      let start = TextPosition(line: number - 1, character: 0)
      views.append([
        "x": view["x"], "y": view["y"], "width": view["width"], "height": view["height"],
        "uri": .string(server.documents.uri(of: file)), "line": .int(number),
        "range": TextRange(start: start, end: TextPosition(line: number, character: 0)).json,
      ])
    }
    var answer: JSONValue = ["svg": preview.picture["svg"], "views": .array(views)]
    if let current { answer["current"] = .int(current) }
    if let message = preview.message { answer["message"] = .string(message) }
    return answer
  }
}
