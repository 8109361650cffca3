#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Standard input, output and error as the program finds them.
enum StandardStreams {
  /// Makes closed streams and broken pipes ordinary errors of whoever writes.
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

  /// The next line of standard input without its end; nil at the end.
  ///
  /// Swift's own reads on for ever where the end comes after a signal.
  static func readLine() -> String? {
    var line: UnsafeMutablePointer<CChar>?
    var room = 0
    defer { free(line) }
    var count = -1
    repeat {
      errno = 0
      clearerr(stdin)
      count = getline(&line, &room, stdin)
    } while count < 0 && errno == EINTR
    guard count >= 0, let line else { return nil }
    let bytes = UnsafeRawBufferPointer(start: line, count: count)
    return String(
      decoding: bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes[...], as: UTF8.self)
  }

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
