import Synchronization
import TideLua

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Ctrl-C where no renderer has the terminal.
enum Interrupts {
  /// Stops the script that runs, and never the program: what waits or computes ends with an error.
  ///
  /// - Parameter interrupter: of the scripts of this program; nil where others are asked to stop.
  static func stopScripts(_ interrupter: LuaInterrupter?) {
    scripts = interrupter
    // Made here, because a handler may make nothing.
    hasCome.store(false, ordering: .relaxed)
    signal(SIGINT) { _ in
      Interrupts.hasCome.store(true, ordering: .relaxed)
      Interrupts.scripts?.interrupt()
    }
  }

  /// Whether there was an interrupt since this was last asked.
  static func take() -> Bool { hasCome.exchange(false, ordering: .relaxed) }

  private static let hasCome = Atomic(false)

  // Unsafe, because the handler of a signal reads it; it is set before that is installed.
  nonisolated(unsafe) private static var scripts: LuaInterrupter?

  /// Ends the program at once, also in the middle of a script: all that was printed has been
  /// written, and there is no terminal to restore.
  static func endProgram() {
    let former = signal(SIGINT) { _ in
      Interrupts.removeLeftover()
      Interrupts.restoreTerminal()
      _exit(ExitStatus.interrupted.code)
    }
    // Started in the background, where interrupts are none of its business.
    if isSame(former, SIG_IGN) { signal(SIGINT, SIG_IGN) }
  }

  /// Takes a file away when a signal ends the program.
  static func remove(_ path: String) {
    leftover = strdup(path)
    let endings = [
      SIGTERM, SIGHUP, SIGQUIT, SIGSEGV, SIGABRT, SIGILL, SIGBUS, SIGFPE, SIGTRAP, SIGSYS,
    ]
    for number in endings {
      let former = signal(number) { number in
        Interrupts.removeLeftover()
        // Comes back once this has returned, to do what it would have done.
        signal(number, SIG_DFL)
        raise(number)
      }
      if !isSame(former, SIG_DFL) { signal(number, former) }
    }
  }

  /// Gives the terminal back as it was when a signal ends the program.
  static func restore(_ settings: termios) {
    let kept = UnsafeMutablePointer<termios>.allocate(capacity: 1)
    kept.initialize(to: settings)
    terminal = kept
    for number in [SIGTERM, SIGHUP] {
      signal(number) { number in
        Interrupts.restoreTerminal()
        signal(number, SIG_DFL)
        raise(number)
      }
    }
  }

  static func restoreTerminal() {
    if let terminal { tcsetattr(0, TCSANOW, terminal) }
  }

  // Unsafe, because the handlers of signals read it; it is set before they are installed.
  nonisolated(unsafe) private static var terminal: UnsafeMutablePointer<termios>?

  private static func isSame(_ one: __sighandler_t?, _ other: __sighandler_t?) -> Bool {
    unsafeBitCast(one, to: Int.self) == unsafeBitCast(other, to: Int.self)
  }

  private static func removeLeftover() {
    if let leftover { unlink(leftover) }
  }

  // Unsafe, because the handlers of signals read it; it is set before they are installed.
  nonisolated(unsafe) private static var leftover: UnsafeMutablePointer<CChar>?
}
