/// A program that is started before the process confines itself, and waits for a signal to begin. A
/// confined process cannot start programs.
///
/// ```swift
/// let browser = try WaitingProgram(shell: "xdg-open \"$1\"")
/// try confinement.apply()
/// browser.begin("http://127.0.0.1:8765/")
/// ```
///
/// If the object is released first, the program never begins. After it has begun, it runs
/// independently.
package final class WaitingProgram {
  private var channel: Int32

  /// - Parameter command: a shell command that receives one argument.
  /// - Throws: the reason if it cannot be started.
  package init(shell command: String) throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
      throw SystemError("\"\(command)\" cannot be started", number: errno)
    }
    defer { close(ends[1]) }
    channel = ends[0]
    // Its output is discarded, because the app's output may be read by others. The started shell
    // runs the command in a background process and exits at once, so that no zombie remains.
    let script = """
      (IFS= read -r word && set -- "$word" && exec </dev/null >/dev/null 3<&- && \(command)) <&3 &
      """
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[1], 3)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // A separate process group, so that Ctrl-C in the terminal affects only the app.
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    var arguments: [UnsafeMutablePointer<CChar>?] =
      ["/bin/sh", "-c", script].map { (text: String) in strdup(text) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var id: pid_t = 0
    let failure = posix_spawn(&id, "/bin/sh", &actions, &attributes, &arguments, environ)
    if failure != 0 {
      close(channel)
      channel = -1
      throw SystemError("\"\(command)\" cannot be started", number: failure)
    }
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0, errno == EINTR {}
  }

  deinit { if channel >= 0 { close(channel) } }

  /// Starts the command with its argument, which must be a single line.
  package func begin(_ argument: String) {
    let line = Array((argument + "\n").utf8)
    _ = line.withUnsafeBytes { send(channel, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
  }
}
