import TideBindings
import TideLua
import TideScript
import TideSystem
import TideViews

/// The state of a running block or test. Everything that it shows, declares and mounts is removed
/// at its end.
final class SpecScope {
  /// The runtime's state before the block or test.
  let mark: TestMark
  /// The mounted app, with the state before it was mounted.
  var app: App?
  /// The databases of the mounted apps. If an app is mounted again, it finds its stored values.
  var databases: [DataObject] = []
  /// The sessions of other people.
  var sessions: [SpecSession] = []
  /// Copies of the databases of people whose sessions have ended, by person.
  var databasesOfPeople: [String: AnyObject] = [:]
  /// The shared models' state before the block or test.
  let shared: SpecSharing.State

  struct App {
    /// The app's file, which also names the context of the app.
    let file: String
    let mark: TestMark
    /// The globals and loaded modules before the app.
    let saved: LuaValue?
    let modulePath: LuaValue
  }

  init(_ mark: TestMark, _ shared: SpecSharing.State) { (self.mark, self.shared) = (mark, shared) }

  /// Ends a person's session. The person's next session gets its databases.
  func close(_ session: SpecSession) throws {
    sessions.removeAll { $0 === session }
    if let copy = try session.close() { databasesOfPeople[session.name] = copy }
  }
}

extension SpecRuntime {
  /// Begins a block or test.
  func beginPart() {
    parts.append(SpecScope(runtime.mark(), sharing.present))
    if runtime.sharedModelNames.isEmpty { sharing.present = SpecSharing.State() }
  }

  /// Ends the innermost block or test, whose context has already been emptied.
  func endPart() throws {
    guard let part = parts.popLast() else { return }
    defer {
      restore(to: part.mark)
      sharing.present = part.shared
    }
    try endApp(of: part)
  }

  private func restore(to mark: TestMark) {
    if runtime.scene !== mark.scene { screen.close() }
    runtime.restore(to: mark)
  }

  /// Ends the mounted app and the sessions of other people, as when a serving program ends.
  private func endApp(of part: SpecScope) throws {
    for session in part.sessions { try part.close(session) }
    guard let app = part.app else { return }
    part.app = nil
    part.databases = runtime.openDatabases
    runtime.contexts.named[app.file]?.removeAll()
    restore(to: app.mark)
    if let package = try runtime.lua.globals.rawGet("package").table {
      try package.rawSet("path", app.modulePath)
    }
    if let saved = app.saved { try restore(saved) }
  }

  /// Whether a module required now belongs to a mounted app.
  var hasApp: Bool { parts.contains { $0.app != nil } }

  /// Starts an app, and ends the app that the running test mounted before.
  func beginApp(_ name: String) throws -> (chunk: LuaFunction, file: String) {
    let file = try project.find(name, isConfined: options.isSandboxed)
    screen.clear()
    let package = try runtime.lua.globals.rawGet("package").table
    if let part = parts.last {
      try endApp(of: part)
      let path = try package?.rawGet("path") ?? .nil
      sharing.restart()
      part.app = SpecScope.App(
        file: file, mark: runtime.mark(), saved: try save(), modulePath: path)
    }
    let chunk = try located { try runtime.loadTested(file) }
    if let package, let path = try package.rawGet("path").text {
      let folder = file.lastIndex(of: "/").map { String(file[..<$0]) } ?? "."
      try package.rawSet("path", .string("\(folder)/?.lua;\(folder)/?/init.lua;\(path)"))
    }
    return (chunk, file)
  }

  // MARK: Other people

  private static let mostSessions = 8

  /// The sessions of all running blocks and tests.
  var sessions: [SpecSession] { parts.flatMap(\.sessions) }

  /// Starts an app for another person.
  func beginSession(
    of person: String, _ name: String, _ arguments: [String], _ size: Size?
  ) throws -> SpecSession {
    guard let part = parts.last else {
      throw TideError(.badArgument, "ui.session can be called only in a test or a hook")
    }
    guard sessions.count < Self.mostSessions else {
      throw TideError(.limit, "a test may have \(Self.mostSessions) sessions at once; close some")
    }
    let file = try project.find(name, isConfined: options.isSandboxed)
    var configuration = runtime.configuration
    configuration.arguments = arguments
    if options.isSandboxed { configuration.lua.capabilities = LuaConfiguration().capabilities }
    let clock = VirtualClock(now: runtime.loop.now(), epoch: epoch)
    let session = try SpecSession(person, file, configuration, clock, recording: recording)
    if let copy = parts.reversed().lazy.compactMap({ $0.databasesOfPeople[person] }).first {
      try session.runtime.restoreDatabases(copy)
    }
    try options.prepare(session.runtime)
    try located { try session.begin(size) }
    part.sessions.append(session)
    return session
  }

  /// The session with all updates applied; throws if it has ended.
  func present(_ session: SpecSession?) throws -> SpecSession {
    guard let session, sessions.contains(where: { $0 === session }) else {
      throw TideError(
        .badArgument,
        "the session has ended: it was closed, its test ended, or ui.mount started the app anew")
    }
    try catchUp()
    return session
  }

  func close(_ session: SpecSession) throws {
    try parts.first { part in part.sessions.contains { $0 === session } }?.close(session)
  }

  /// The limit of rounds in which writes of one app may cause writes of another.
  private static let rounds = 4

  /// Delivers each app's writes to the other apps at the spec's time, and redraws all screens.
  func catchUp() throws {
    let sessions = sessions
    if sessions.isEmpty { return }
    for session in sessions { session.follow(to: runtime.loop.now()) }
    for _ in 0..<Self.rounds {
      runtime.settle()
      for session in sessions { session.runtime.settle() }
    }
    for session in sessions { try session.screen.draw() }
    try screen.draw()
  }

  /// Adds the location in the app's file to an error.
  private func located<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch {
      let known = error as? TideError ?? (error as? LuaError).map { TideError($0) }
      guard let known, let location = known.location else { throw known ?? error }
      throw TideError(known.code, "\(location): \(known.message)")
    }
  }
}
