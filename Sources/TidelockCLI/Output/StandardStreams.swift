import TideSystem

/// Standard input, output and error as the program finds them.
enum StandardStreams {
  /// Turns closed streams and broken pipes into ordinary errors of the writer.
  static func prepare() {
    signal(SIGPIPE, SIG_IGN)
    // The number of a closed one would go to the next file that is opened. These cannot be read or
    // written either.
    for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) < 0 && errno == EBADF {
      _ = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
    }
  }

  /// Whether the program can take the terminal over.
  static var areTerminal: Bool { isatty(0) != 0 && isatty(1) != 0 }

  /// Whether standard error is a terminal.
  static var showsErrors: Bool { isatty(2) != 0 }

  /// Whether the terminal says of itself that it cannot move its cursor.
  static var isDumb: Bool { getenv("TERM").map { String(cString: $0) } == "dumb" }

  /// What the keyboard is read from: standard input, or the terminal itself where something is
  /// piped in; nil where the program has no terminal.
  static let keyboard: Int32? = {
    if isatty(1) == 0 { return nil }
    if isatty(0) != 0 { return 0 }
    let device = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    return device >= 0 ? device : nil
  }()

  /// What scripts may read: nil where standard input is the terminal, whose keys are the app's.
  static var pipedInput: Int32? { isatty(0) != 0 ? nil : 0 }

  /// Writes everything; the error's number where that failed, else 0.
  static func write(_ text: String, to descriptor: Int32) -> Int32 {
    var text = text
    return text.withUTF8 { write(UnsafeRawBufferPointer($0), to: descriptor) }
  }

  /// Writes everything; the error's number where that failed, else 0.
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
