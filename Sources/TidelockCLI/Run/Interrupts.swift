#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Ctrl-C where no renderer has the terminal.
enum Interrupts {
  /// Ends the program at once, also in the middle of a script: all that was printed has been
  /// written, and there is no terminal to restore.
  static func endProgram() {
    let former = signal(SIGINT) { _ in _exit(ExitStatus.interrupted.code) }
    // Started in the background, where interrupts are none of its business.
    if unsafeBitCast(former, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
      signal(SIGINT, SIG_IGN)
    }
  }
}
