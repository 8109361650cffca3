import TideScript
import TideSystem

@testable import TideWeb

/// Workers that run on threads of the test, over the same channels as processes, so that one can
/// look into them.
enum ThreadedWorker {
  /// What starts those that run an app.
  static func starter(
    of make: @escaping @Sendable (WebRenderer, any SharingEngine) throws -> PrivateApp
  ) -> () throws(SystemError) -> WorkerProcess {
    { () throws(SystemError) in
      try start { channel, control in
        WebWorker.run(channel, make: make)
        end(control, status: 0)
      }
    }
  }

  /// Starts one that does what a test says, with its channel and its control, which it closes.
  static func start(
    _ body: @escaping @Sendable (_ channel: Int32, _ control: Int32) -> Void
  ) throws(SystemError) -> WorkerProcess {
    let (channel, control, output) = (try pair(), try pair(), try pair())
    close(output.1)
    SystemThread { body(channel.1, control.1) }?.detach()
    return WorkerProcess(channel: channel.0, output: output.0, control: control.0)
  }

  /// Ends it as a process does, with a status as `waitpid` gives it.
  static func end(_ control: Int32, status: Int32) {
    var status = status
    _ = send(control, &status, MemoryLayout<Int32>.size, Int32(MSG_NOSIGNAL))
    close(control)
  }

  private static func pair() throws(SystemError) -> (Int32, Int32) {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
      throw SystemError("no channel", number: errno)
    }
    return (ends[0], ends[1])
  }
}
