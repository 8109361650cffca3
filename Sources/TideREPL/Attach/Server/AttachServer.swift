import Synchronization
public import TideBindings
import TideLua
public import TideScript
import TideSystem

/// Lets prompts into a running app: each that attaches gets a session of its own.
///
/// ```swift
/// // Prompts find it as …/tidelock/fruit-1234.
/// let server = try AttachServer(runtime, name: "fruit", script: "fruit.lua")
/// server.onReload = { module in try runtime.reload(module.map { [$0] }).line }
/// server.tell("reloaded 1 of 1 modules")
/// ```
///
/// It listens on a socket that is for the user's own processes, from when it is made until `stop`
/// or its end. Sockets are read and written on a thread of their own; chunks run on the app's,
/// between what else the app does. Nothing that comes in keeps the app alive.
public final class AttachServer {
  /// Of the protocol.
  static let version = 1

  /// What it can be attached to by.
  public let app: RunningApp
  /// Runs the app anew, or one of its modules, for `:reload`; returns the text for the prompt that
  /// asked, beside the broadcast to all.
  public var onReload: ((_ module: String?) throws -> String)? {
    get { sessions.onReload }
    set { sessions.onReload = newValue }
  }
  /// The same for `:reset`. Without these two the commands are errors.
  public var onReset: (() throws -> String)? {
    get { sessions.onReset }
    set { sessions.onReset = newValue }
  }
  /// What `:help` knows at prompts that attach, beside the app's own names.
  package var helpIndex: () -> HelpIndex {
    get { sessions.helpIndex }
    set { sessions.helpIndex = newValue }
  }

  private let sessions: AttachedSessions
  private let mailbox: SocketMailbox
  private var thread: pthread_t?

  /// Listens for prompts, which evaluate on the runtime's thread.
  ///
  /// - Parameters:
  ///   - runtime: the app; it must outlive the server.
  ///   - name: as `RunningApp.name(ofScript:)` makes it.
  ///   - script: the name of the app that attached prompts show.
  ///   - folder: where the socket lies.
  /// - Throws: `attach` where nothing can listen; the app can well do without.
  public convenience init(
    _ runtime: Runtime, name: String, script: String, in folder: RuntimeFolder = .standard
  ) throws(TideError) {
    try self.init(runtime, AttachSocket(name: name, in: folder), script: script)
  }

  /// Takes over a socket that already listens, which a confined process needs because it can make
  /// none.
  ///
  /// - Throws: `attach` when the system has no descriptor or thread for it.
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
    // The thread closes it.
    socket.isTaken = true
  }

  deinit { stop() }

  /// The file of its socket.
  public var path: String { app.path }

  /// How many are attached.
  public var count: Int { sessions.count }

  /// Tells all sessions of something, such as a reload.
  public func tell(_ line: String) { sessions.tell(line) }

  /// Tells all sessions of a reload that failed, with the reason. A session that has asked for it
  /// gets that as the answer.
  package func tell(_ line: String, because reason: String?) {
    sessions.tell(line, because: reason)
  }

  /// Sends a printed line to who should see it; true where that is one session alone, because a
  /// chunk of its printed it.
  public func takes(_ line: UnsafeRawBufferPointer) -> Bool { sessions.takes(line) }

  /// Says good-bye to all sessions, and ends them.
  ///
  /// - Parameter exitCode: the app's, for those who are attached; nil when it goes on without them.
  public func stop(exitCode: Int32? = nil) {
    guard let thread else { return }
    self.thread = nil
    unlink(app.path)
    sessions.removeAll()
    mailbox.end(exitCode.map { Message("ended", ["code": .number(Int($0))]) })
    pthread_join(thread, nil)
  }
}
