import Synchronization
public import TideBindings
import TideLua
public import TideScript
import TideSystem

/// Accepts prompts into a running app: each one that attaches gets its own session.
///
/// ```swift
/// // Prompts find it as …/tidelock/fruit-1234.
/// let server = try AttachServer(runtime, name: "fruit", script: "fruit.lua")
/// server.onReload = { module in try runtime.reload(module.map { [$0] }).line }
/// server.tell("reloaded 1 of 1 modules")
/// ```
///
/// It listens on a socket that only the user's own processes can use, from its creation until
/// `stop` or its release. A separate thread reads and writes the sockets; chunks run on the app's
/// thread, between its other work. Connections do not keep the app alive.
public final class AttachServer {
  /// The protocol's version.
  static let version = 1

  /// The name and path by which prompts find the app.
  public let app: RunningApp
  /// Reloads the app or one of its modules for `:reload`. Returns the text for the prompt that
  /// asked; all sessions get the broadcast as well.
  public var onReload: ((_ module: String?) throws -> String)? {
    get { sessions.onReload }
    set { sessions.onReload = newValue }
  }
  /// Resets the app for `:reset`, as ``onReload`` reloads it. Without a handler the command is an
  /// error.
  public var onReset: (() throws -> String)? {
    get { sessions.onReset }
    set { sessions.onReset = newValue }
  }
  /// The index that `:help` searches at attached prompts, besides the app's own names.
  package var helpIndex: () -> HelpIndex {
    get { sessions.helpIndex }
    set { sessions.helpIndex = newValue }
  }

  /// What the host does for `tidelock drive`. It holds for connections that are made later.
  package var driveHost: DriveHost {
    get { sessions.driveHost }
    set { sessions.driveHost = newValue }
  }

  private let sessions: AttachedSessions
  private let mailbox: SocketMailbox
  private var thread: pthread_t?

  /// Listens for prompts, whose chunks run on the runtime's thread.
  ///
  /// - Parameters:
  ///   - runtime: the app; it must outlive the server.
  ///   - name: as `RunningApp.name(ofScript:)` makes it.
  ///   - script: the script's name, which attached prompts show.
  ///   - folder: the folder for the socket.
  /// - Throws: `attach` if nothing can listen there; the app can run without a server.
  public convenience init(
    _ runtime: Runtime, name: String, script: String, in folder: RuntimeFolder = .standard
  ) throws(TideError) {
    try self.init(runtime, AttachSocket(name: name, in: folder), script: script)
  }

  /// Takes over a socket that already listens. A confined process needs this because it cannot
  /// create sockets.
  ///
  /// - Throws: `attach` if no descriptor or thread is available.
  public convenience init(
    _ runtime: Runtime, _ socket: AttachSocket, script: String
  ) throws(TideError) {
    try self.init(runtime, socket, script: script, limits: .init())
  }

  convenience init(
    _ runtime: Runtime, name: String, script: String, in folder: RuntimeFolder,
    limits: SocketThread.Limits
  ) throws(TideError) {
    try self.init(runtime, AttachSocket(name: name, in: folder), script: script, limits: limits)
  }

  private init(
    _ runtime: Runtime, _ socket: AttachSocket, script: String, limits: SocketThread.Limits
  ) throws(TideError) {
    mailbox = try SocketMailbox(runtime.lua.interrupter)
    sessions = AttachedSessions(runtime, mailbox)
    app = socket.app
    let greeting = Message(
      "hello",
      [
        "version": .number(Self.version), "name": .text(socket.name),
        "process": .number(Int(getpid())),
        "script": .text(script),
      ])
    let post = runtime.loop.inbox.post
    thread = try SocketThread.start(
      listener: socket.descriptor, mailbox: mailbox, greeting: greeting, limits: limits
    ) { [router = sessions.router] number, event in
      post { router.sessions?.take(event, from: number) }
    }
    // The socket thread closes the descriptor.
    socket.isTaken = true
  }

  deinit { stop() }

  /// The path of the socket.
  public var path: String { app.path }

  /// The number of attached sessions.
  public var count: Int { sessions.count }

  /// Sends a notice, such as a reload report, to all sessions.
  public func tell(_ line: String) { sessions.tell(line) }

  /// Reports a failed reload to all sessions, with the reason. The session that asked for the
  /// reload gets the reason as its answer.
  package func tell(_ line: String, because reason: String?) {
    sessions.tell(line, because: reason)
  }

  /// Sends a printed line to attached sessions. Returns true if it went to one session alone
  /// because that session's chunk printed it.
  public func takes(_ line: UnsafeRawBufferPointer) -> Bool { sessions.takes(line) }

  /// Sends the final message to all sessions and closes them.
  ///
  /// - Parameter exitCode: the app's exit code; nil if the app keeps running.
  public func stop(exitCode: Int32? = nil) {
    guard let thread else { return }
    self.thread = nil
    unlink(app.path)
    sessions.removeAll()
    mailbox.end(exitCode.map { Message("ended", ["code": .number(Int($0))]) })
    pthread_join(thread, nil)
  }
}
