import Synchronization
public import TideBindings
import TideLua
public import TideScript

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Lets prompts into a running app: each that attaches gets a session of its own.
///
/// ```swift
/// let server = try AttachServer(runtime, name: "fruit")    // …/tidelock/fruit-1234
/// configuration.printBytes = { if !server.takes($0) { … } }
/// server.tell("reloaded 1 of 1 modules")
/// ```
///
/// It listens on a socket that is for the user's own processes, from when it is made until `stop` or
/// its end. Sockets are read and written on a thread of their own; chunks run on the app's, between
/// what else the app does. Nothing that comes in keeps the app alive.
public final class AttachServer {
  /// Of the protocol.
  static let version = 1

  /// What it can be attached to by.
  public let app: RunningApp
  /// Runs the app anew, or one of its modules, for `:reload`; gives what there is to say to who asked
  /// beside what all are told.
  public var onReload: ((_ module: String?) throws -> String)? {
    get { sessions.onReload }
    set { sessions.onReload = newValue }
  }
  /// The same for `:reset`.
  public var onReset: (() throws -> String)? {
    get { sessions.onReset }
    set { sessions.onReset = newValue }
  }

  private let sessions: AttachedSessions
  private let exchange: Exchange
  private let folder: RuntimeFolder
  private var thread: pthread_t?

  /// - Parameters:
  ///   - name: as `RunningApp.name(ofScript:)` makes it.
  ///   - script: what attached prompts are told that the app is.
  /// - Throws: `attach` where nothing can listen; the app can well do without.
  public convenience init(
    _ runtime: Runtime, name: String, script: String, in folder: RuntimeFolder = .standard
  ) throws(TideError) {
    try self.init(runtime, name: name, script: script, in: folder, limits: .init())
  }

  init(
    _ runtime: Runtime, name: String, script: String, in folder: RuntimeFolder,
    limits: SocketThread.Limits
  ) throws(TideError) {
    self.folder = folder
    exchange = try Exchange(runtime.lua.interrupter)
    sessions = AttachedSessions(runtime, exchange)
    try folder.prepare()
    // Whoever comes takes away what the dead have left.
    _ = RunningApp.all(in: folder)
    app = Self.free(name, in: folder)
    // Under another name until it listens, or somebody could take it for a dead one's.
    let path = app.path
    let unready = "\(folder.path)/.\(getpid())"
    unlink(unready)
    let listener = try LocalSocket.listen(at: unready)
    guard rename(unready, path) == 0 else {
      let failure = errno
      close(listener)
      unlink(unready)
      throw .attach("nothing can listen at \(path)", failure)
    }
    let greeting = Message(
      "hello",
      [
        "version": .number(Self.version), "name": .text(name), "process": .number(Int(getpid())),
        "script": .text(script),
      ])
    let post = runtime.loop.inbox.post
    do {
      thread = try SocketThread.start(
        listener: listener, exchange: exchange, greeting: greeting, limits: limits
      ) { [desk = sessions.desk] number, event in
        post { desk.sessions?.take(event, from: number) }
      }
    } catch {
      close(listener)
      unlink(path)
      throw error
    }
  }

  deinit { stop() }

  /// A second runtime of one process and name gets a number behind its name.
  private static func free(_ name: String, in folder: RuntimeFolder) -> RunningApp {
    var app = RunningApp.own(name, in: folder)
    var number = 1
    while access(app.path, F_OK) == 0, number < 1000 {
      number += 1
      app = RunningApp.own("\(name)-\(number)", in: folder)
    }
    return app
  }

  /// The file of its socket.
  public var path: String { app.path }

  /// How many are attached.
  public var count: Int { sessions.count }

  /// Tells all sessions of something, such as a reload.
  public func tell(_ line: String) { sessions.tell(line) }

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
    exchange.end(exitCode.map { Message("ended", ["code": .number(Int($0))]) })
    pthread_join(thread, nil)
  }
}
