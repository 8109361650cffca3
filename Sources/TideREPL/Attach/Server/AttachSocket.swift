public import TideBindings

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A socket at which an app listens for prompts, before anybody serves it: who connects meanwhile
/// waits.
///
/// ```swift
/// let socket = try AttachSocket(name: "fruit")     // …/tidelock/fruit-1234
/// try confinement.apply()                          // which refuses sockets
/// let server = try AttachServer(runtime, socket, script: path)
/// ```
public final class AttachSocket {
  /// What it can be attached to by.
  public let app: RunningApp
  /// Without a number.
  let name: String
  let descriptor: Int32
  /// Whether a server looks after it.
  var isTaken = false

  /// - Parameter name: as `RunningApp.name(ofScript:)` makes it.
  /// - Throws: `attach` where nothing can listen; the app can well do without.
  public init(name: String, in folder: RuntimeFolder = .standard) throws(TideError) {
    self.name = name
    try folder.prepare()
    // Whoever comes takes away what the dead have left.
    _ = RunningApp.all(in: folder)
    app = Self.free(name, in: folder)
    // Under another name until it listens, or somebody could take it for a dead one's.
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
}
