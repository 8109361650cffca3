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
  static func stopScripts(_ interrupter: LuaInterrupter) {
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
    let former = signal(SIGINT) { _ in _exit(ExitStatus.interrupted.code) }
    // Started in the background, where interrupts are none of its business.
    if unsafeBitCast(former, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
      signal(SIGINT, SIG_IGN)
    }
  }
}
