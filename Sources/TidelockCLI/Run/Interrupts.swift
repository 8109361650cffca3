import Synchronization
import TideLua
import TideSystem
import TideTerminal

/// Handles Ctrl-C while no renderer controls the terminal.
enum Interrupts {
  /// Makes Ctrl-C stop the running script, but not the program: waiting or computing code ends with
  /// an error.
  ///
  /// - Parameter interrupter: the interrupter of this program's scripts; nil if they run in another
  ///   process.
  static func stopScripts(_ interrupter: LuaInterrupter?) {
    scripts = interrupter
    // Initialized here, because signal handlers must not allocate.
    hasCome.store(false, ordering: .relaxed)
    signal(SIGINT) { _ in
      Interrupts.hasCome.store(true, ordering: .relaxed)
      Interrupts.scripts?.interrupt()
    }
  }

  /// Whether an interrupt has occurred since the previous call.
  static func take() -> Bool { hasCome.exchange(false, ordering: .relaxed) }

  private static let hasCome = Atomic(false)

  // Unsafe, because a signal handler reads it; it is set before the handler is installed.
  nonisolated(unsafe) private static var scripts: LuaInterrupter?

  /// Makes Ctrl-C end the program immediately, even within a script. All output has been written,
  /// and there is no terminal state to restore.
  static func endProgram() {
    let former = signal(SIGINT) { _ in
      Interrupts.removeLeftover()
      Interrupts.restoreTerminal()
      _exit(ExitStatus.interrupted.code)
    }
    // The program was started in the background, where it should ignore interrupts.
    if isSame(former, SIG_IGN) { signal(SIGINT, SIG_IGN) }
  }

  // MARK: Ending in order

  /// Makes SIGINT, SIGTERM and SIGHUP end the program in an orderly way.
  ///
  /// If a script prevents the program from handling a first Ctrl-C for half a second, the script is
  /// interrupted. After SIGTERM, SIGHUP or a second Ctrl-C the program ends within two seconds in
  /// any case.
  ///
  /// - Parameter interrupter: the interrupter of this program's scripts.
  /// - Returns: a descriptor that is readable when `next` returns a signal; -1 on failure.
  static func endInOrder(_ interrupter: LuaInterrupter) -> Int32 {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return -1 }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    scripts = interrupter
    // Initialized here, because signal handlers must not allocate.
    came.store(0, ordering: .relaxed)
    stage.store(.idle, ordering: .relaxed)
    (noted, notes) = (ends[0], ends[1])
    signal(SIGALRM) { _ in Interrupts.timeIsOver() }
    for number in [SIGINT, SIGTERM, SIGHUP] {
      let former = signal(number) { Interrupts.note($0) }
      // The program was started by `nohup` or in the background, where it should ignore these
      // signals.
      if isSame(former, SIG_IGN) { signal(number, SIG_IGN) }
    }
    return ends[0]
  }

  /// The signal sent by Ctrl-C.
  static let interrupt = SIGINT

  /// The next pending signal; nil if there is none.
  static func next() -> Int32? {
    var number: UInt8 = 0
    guard noted >= 0, read(noted, &number, 1) == 1 else { return nil }
    // The signal is being handled, so scripts need not be interrupted.
    if stage.compareExchange(expected: .patient, desired: .idle, ordering: .relaxed).exchanged {
      alarm(after: 0)
    }
    return Int32(number)
  }

  /// Forgets earlier signals, because the program keeps running after a Ctrl-C.
  static func forget() { came.store(0, ordering: .relaxed) }

  /// Starts the limit of two seconds for ending the program.
  static func bound() {
    guard notes >= 0 else { return }
    let earlier = stage.load(ordering: .relaxed)
    if earlier == .bound || earlier == .last { return }
    stage.store(.bound, ordering: .relaxed)
    alarm(after: 1_000_000)
  }

  /// Ends the program by the signal that stopped it, so that its parent process sees the cause.
  static func dieOfSignal(endingWith status: ExitStatus) {
    let number = came.load(ordering: .relaxed)
    guard number == SIGTERM || number == SIGHUP, status == .signal(number) else { return }
    signal(number, SIG_DFL)
    raise(number)
  }

  private enum Stage: UInt8, AtomicRepresentable {
    /// No timer is running.
    case idle
    /// A first Ctrl-C has not been handled yet.
    case patient
    /// Scripts have one second left; then they are interrupted.
    case bound
    /// The program has one second left.
    case last
  }

  private static let stage = Atomic(Stage.idle)
  /// The latest signal; 0 for none.
  private static let came = Atomic<Int32>(0)
  // Unsafe, because signal handlers read them; they are set before the handlers are installed.
  nonisolated(unsafe) private static var noted: Int32 = -1
  nonisolated(unsafe) private static var notes: Int32 = -1

  /// A signal handler.
  private static func note(_ number: Int32) {
    let before = errno
    let isFirst = came.exchange(number, ordering: .relaxed) == 0
    var byte = UInt8(truncatingIfNeeded: number)
    _ = write(notes, &byte, 1)
    if number != SIGINT || !isFirst {
      bound()
    } else if stage.compareExchange(expected: .idle, desired: .patient, ordering: .relaxed)
      .exchanged
    {
      alarm(after: 500_000)
    }
    errno = before
  }

  /// A signal handler.
  private static func timeIsOver() {
    let before = errno
    switch stage.load(ordering: .relaxed) {
    case .idle: break
    case .patient:
      scripts?.interrupt()
      stage.store(.idle, ordering: .relaxed)
    case .bound:
      scripts?.interrupt()
      stage.store(.last, ordering: .relaxed)
      alarm(after: 900_000)
    case .last: endAtOnce()
    }
    errno = before
  }

  private static func endAtOnce() {
    removeLeftover()
    restoreTerminal()
    TerminalRenderer.giveBackTerminal()
    let number = came.load(ordering: .relaxed)
    if number == SIGTERM || number == SIGHUP {
      signal(number, SIG_DFL)
      raise(number)
      // The signal is delivered when this handler returns, at the latest.
      return
    }
    _exit(128 + (number == 0 ? SIGINT : number))
  }

  private static func alarm(after microseconds: Int) {
    var time = itimerval()
    time.it_value.tv_sec = microseconds / 1_000_000
    time.it_value.tv_usec = microseconds % 1_000_000
    setitimer(__itimer_which_t(ITIMER_REAL.rawValue), &time, nil)
  }

  // MARK: Cleanup

  /// Removes a file if a signal ends the program.
  static func remove(_ path: String) {
    leftover = strdup(path)
    var endings = [SIGQUIT, SIGSEGV, SIGABRT, SIGILL, SIGBUS, SIGFPE, SIGTRAP, SIGSYS]
    // After `endInOrder`, these signals end the app in order, which removes the file as well.
    if notes < 0 { endings += [SIGTERM, SIGHUP] }
    for number in endings {
      let former = signal(number) { number in
        Interrupts.removeLeftover()
        // The signal is delivered again after this handler returns, with its default action.
        signal(number, SIG_DFL)
        raise(number)
      }
      if !isSame(former, SIG_DFL) { signal(number, former) }
    }
  }

  /// Restores the terminal settings if a signal ends the program.
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

  // Unsafe, because signal handlers read it; it is set before the handlers are installed.
  nonisolated(unsafe) private static var terminal: UnsafeMutablePointer<termios>?

  private static func isSame(_ one: __sighandler_t?, _ other: __sighandler_t?) -> Bool {
    unsafeBitCast(one, to: Int.self) == unsafeBitCast(other, to: Int.self)
  }

  private static func removeLeftover() {
    if let leftover { unlink(leftover) }
  }

  // Unsafe, because signal handlers read it; it is set before the handlers are installed.
  nonisolated(unsafe) private static var leftover: UnsafeMutablePointer<CChar>?
}
