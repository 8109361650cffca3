public import TideBindings
import TideSystem

/// A socket on which an app listens for prompts, made before there is a server: prompts that
/// connect meanwhile wait.
///
/// ```swift
/// let socket = try AttachSocket(name: "fruit")     // …/tidelock/fruit-1234
/// try confinement.apply()                          // which refuses sockets
/// let server = try AttachServer(runtime, socket, script: path)
/// ```
///
/// One that is released before a server has taken it over closes, and removes its file.
public final class AttachSocket {
  /// The name and path by which prompts find the app.
  public let app: RunningApp
  /// The app's name, without the number that tells two of one name apart.
  let name: String
  let descriptor: Int32
  /// Whether a server owns the descriptor, and closes it.
  var isTaken = false

  /// Makes a socket that prompts find, and listens on it.
  ///
  /// - Parameters:
  ///   - name: as `RunningApp.name(ofScript:)` makes it.
  ///   - folder: where the socket lies.
  /// - Throws: `attach` where nothing can listen; an app can run without.
  public init(name: String, in folder: RuntimeFolder = .standard) throws(TideError) {
    self.name = name
    try folder.prepare()
    // Removes sockets that apps which crashed have left.
    _ = RunningApp.all(in: folder)
    app = Self.free(name, in: folder)
    // Under another name until it listens, or another app could remove it as a dead one's.
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

  /// Adds a number to the name where another runtime of this process already has it.
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
