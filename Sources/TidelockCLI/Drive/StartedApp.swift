import Glibc
import TideBindings
import TideREPL
import TideSystem

/// An app that `tidelock drive --start` runs in a process of its own, without a terminal.
final class StartedApp {
  let process: pid_t
  /// Gets a byte when the app is shown, and ends with the app.
  private let channel: Int32

  /// The app has ended before it was shown. It has reported why.
  struct Ended: Error {
    let status: ExitStatus
  }

  /// Starts the program with arguments, such as `run app.lua`, and waits until the app is shown.
  ///
  /// - Throws: `Ended` if the app ends before that, and `attach` if it cannot be started.
  init(_ arguments: [String], size: String?) throws {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      throw TideError(.attach, "cannot create a pipe: \(SystemText.of(errno))")
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    channel = ends[0]
    var words = ["tidelock"] + arguments
    // Before the arguments of the script.
    let end = words.firstIndex(of: "--") ?? words.count
    words.insert(contentsOf: ["--driven", "3"] + (size.map { ["--size", $0] } ?? []), at: end)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[1], 3)
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    // Keeps the app's output out of the answers.
    posix_spawn_file_actions_adddup2(&actions, 2, 1)
    var strings: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for string in strings { free(string) } }
    var id: pid_t = 0
    let failure = posix_spawn(&id, "/proc/self/exe", &actions, nil, &strings, environ)
    close(ends[1])
    if failure != 0 {
      throw TideError(.attach, "the app cannot be started: \(SystemText.of(failure))")
    }
    process = id
    var byte: UInt8 = 0
    var count = read(ends[0], &byte, 1)
    while count < 0, errno == EINTR { count = read(ends[0], &byte, 1) }
    if count != 1 {
      throw Ended(status: ExitStatus(waitForEnd()))
    }
  }

  /// The longest time for ending, in milliseconds.
  private static let patience: Int32 = 5000

  deinit { close(channel) }

  /// Waits for the process, and ends it after some seconds.
  @discardableResult
  func waitForEnd() -> Int32 {
    var status: Int32 = 0
    var end = pollfd(fd: channel, events: Int16(POLLIN), revents: 0)
    if poll(&end, 1, Self.patience) == 0 { kill(process, SIGKILL) }
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
  }

  /// Ends the app, if it still runs.
  func end() {
    kill(process, SIGTERM)
    waitForEnd()
  }
}
