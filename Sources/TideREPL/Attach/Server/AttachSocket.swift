public import TideBindings
import TideSystem

/// A listening socket for prompts, made before the server. Prompts that connect in the meantime
/// wait.
///
/// ```swift
/// let socket = try AttachSocket(name: "fruit")     // …/tidelock/fruit-1234
/// try confinement.apply()                          // which refuses sockets
/// let server = try AttachServer(runtime, socket, script: path)
/// ```
///
/// If no server takes the socket over, releasing it closes it and removes its file.
public final class AttachSocket {
  /// The name and path by which prompts find the app.
  public let app: RunningApp
  /// The app's name, without the number that distinguishes apps of the same name.
  let name: String
  let descriptor: Int32
  /// Whether a server owns the descriptor, and closes it.
  var isTaken = false

  /// Creates the socket and listens on it.
  ///
  /// - Parameters:
  ///   - name: as `RunningApp.name(ofScript:)` makes it.
  ///   - folder: the folder for the socket.
  /// - Throws: `attach` if nothing can listen there; an app can run without it.
  public init(name: String, in folder: RuntimeFolder = .standard) throws(TideError) {
    self.name = name
    try folder.prepare()
    // Removes the sockets of crashed apps.
    _ = RunningApp.all(in: folder)
    app = Self.free(name, in: folder)
    // Listens under a temporary name first: another app could remove a socket that does not listen
    // yet as stale.
    let unready = "\(folder.path)/.\(getpid())"
    unlink(unready)
    descriptor = try LocalSocket.listen(at: unready)
    guard rename(unready, app.path) == 0 else {
      let failure = errno
      close(descriptor)
      unlink(unready)
      throw .attach("nothing can listen at \(app.path)", failure)
    }
  }

  deinit {
    if isTaken { return }
    close(descriptor)
    unlink(app.path)
  }

  /// Adds a number to the name if another runtime of this process already uses it.
  private static func free(_ name: String, in folder: RuntimeFolder) -> RunningApp {
    var app = RunningApp.own(name, in: folder)
    var number = 1
    while access(app.path, F_OK) == 0, number < 1000 {
      number += 1
      app = RunningApp.own("\(name)-\(number)", in: folder)
    }
    return app
  }
}
