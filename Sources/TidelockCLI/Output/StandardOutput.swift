#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Standard output, a line at a time, each written at once.
final class StandardOutput {
  /// Called once, with the reason, when nothing can be written any more.
  var onFailure: (String) -> Void = { _ in }
  private(set) var hasFailed = false

  func writeLine(_ line: String) {
    guard !hasFailed else { return }
    let number = StandardStreams.write(line + "\n", to: 1)
    guard number != 0 else { return }
    hasFailed = true
    switch number {
    case EPIPE: onFailure("nobody reads it any more")
    case EBADF: onFailure("it is closed")
    default: onFailure(String(cString: strerror(number)))
    }
  }
}
