import TideSystem

/// The program's standard input, output and error.
enum StandardStreams {
  /// Makes closed streams and broken pipes ordinary errors.
  static func prepare() {
    signal(SIGPIPE, SIG_IGN)
    // The descriptor of a closed stream would be reused by the next opened file. The replacements
    // also fail on reading or writing.
    for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) < 0 && errno == EBADF {
      _ = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
    }
  }

  /// Whether the program can take over the terminal.
  static var areTerminal: Bool { isatty(0) != 0 && isatty(1) != 0 }

  /// Whether standard error is a terminal.
  static var showsErrors: Bool { isatty(2) != 0 }

  /// Whether the terminal declares that it cannot move its cursor.
  static var isDumb: Bool { getenv("TERM").map { String(cString: $0) } == "dumb" }

  /// The descriptor for keyboard input: standard input, or the terminal device if input is piped;
  /// nil without a terminal.
  static let keyboard: Int32? = {
    if isatty(1) == 0 { return nil }
    if isatty(0) != 0 { return 0 }
    let device = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    return device >= 0 ? device : nil
  }()

  /// The input for scripts; nil if standard input is the terminal, whose keys belong to the app.
  static var pipedInput: Int32? { isatty(0) != 0 ? nil : 0 }

  /// Writes everything. Returns 0 or an error number.
  static func write(_ text: String, to descriptor: Int32) -> Int32 {
    var text = text
    return text.withUTF8 { write(UnsafeRawBufferPointer($0), to: descriptor) }
  }

  /// Writes everything. Returns 0 or an error number.
  static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32 {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = Glibc.write(
        descriptor, bytes.baseAddress.map { $0 + rest.startIndex }, rest.count)
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = Glibc.poll(&poll, 1, -1)
      } else if errno != EINTR {
        return errno
      }
    }
    return 0
  }
}
