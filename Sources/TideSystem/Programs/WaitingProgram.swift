/// A program that waits for a word before it begins, started before a process confines itself,
/// which may start none afterwards.
///
/// ```swift
/// let browser = try WaitingProgram(shell: "xdg-open \"$1\"")
/// try confinement.apply()
/// browser.begin("http://127.0.0.1:8765/")
/// ```
///
/// Where this is released first, the program never begins. One that has begun goes on by itself.
package final class WaitingProgram {
  private var channel: Int32

  /// - Parameter command: a command of the shell, which is given one argument.
  /// - Throws: why it cannot be started.
  package init(shell command: String) throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
      throw SystemError("\"\(command)\" cannot be started", number: errno)
    }
    defer { close(ends[1]) }
    channel = ends[0]
    // What it writes is not the app's output, which others may read. The shell that is started leaves
    // it to another one and ends at once: nobody else would wait for it later.
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
    // A group of its own: Ctrl-C in the terminal is meant for the app.
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

  /// Has it begin, with its argument, which is one line.
  package func begin(_ argument: String) {
    let line = Array((argument + "\n").utf8)
    _ = line.withUnsafeBytes { send(channel, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
  }
}
