import Synchronization
import TideLua
import TideSystem
import TideTerminal

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

  /// Lets Ctrl-C end the program at once, also in the middle of a script: all that was printed has
  /// been written, and there is no terminal to restore.
  static func endProgram() {
    let former = signal(SIGINT) { _ in
      Interrupts.removeLeftover()
      Interrupts.restoreTerminal()
      _exit(ExitStatus.interrupted.code)
    }
    // Started in the background, where interrupts are none of its business.
    if isSame(former, SIG_IGN) { signal(SIGINT, SIG_IGN) }
  }

  // MARK: Ending in order

  /// Lets SIGINT, SIGTERM and SIGHUP ask for the end of the program, in order.
  ///
  /// A script that keeps the program from hearing of a first Ctrl-C for half a second is stopped.
  /// After SIGTERM, SIGHUP or a second Ctrl-C the program ends within two seconds, whatever its
  /// scripts do.
  ///
  /// - Parameter interrupter: of the scripts of this program.
  /// - Returns: a descriptor that can be read when `next` has something to give; -1 where there is
  ///   none.
  static func endInOrder(_ interrupter: LuaInterrupter) -> Int32 {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return -1 }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    scripts = interrupter
    // Made here, because a handler may make nothing.
    came.store(0, ordering: .relaxed)
    stage.store(.idle, ordering: .relaxed)
    (noted, notes) = (ends[0], ends[1])
    signal(SIGALRM) { _ in Interrupts.timeIsOver() }
    for number in [SIGINT, SIGTERM, SIGHUP] {
      let former = signal(number) { Interrupts.note($0) }
      // Started by `nohup` or in the background, where these are none of its business.
      if isSame(former, SIG_IGN) { signal(number, SIG_IGN) }
    }
    return ends[0]
  }

  /// What a person sends who presses Ctrl-C.
  static let interrupt = SIGINT

  /// A signal that has come; nil when there is none any more.
  static func next() -> Int32? {
    var number: UInt8 = 0
    guard noted >= 0, read(noted, &number, 1) == 1 else { return nil }
    // It is being seen to.
    if stage.compareExchange(expected: .patient, desired: .idle, ordering: .relaxed).exchanged {
      alarm(after: 0)
    }
    return Int32(number)
  }

  /// The program goes on in spite of a Ctrl-C: the next one is a first one again.
  static func forget() { came.store(0, ordering: .relaxed) }

  /// From here on the program has two seconds.
  static func bound() {
    guard notes >= 0 else { return }
    let earlier = stage.load(ordering: .relaxed)
    if earlier == .bound || earlier == .last { return }
    stage.store(.bound, ordering: .relaxed)
    alarm(after: 1_000_000)
  }

  /// Ends the program by the signal that made it end, so that its parent process can tell.
  static func dieOfSignal(endingWith status: ExitStatus) {
    let number = came.load(ordering: .relaxed)
    guard number == SIGTERM || number == SIGHUP, status == .signal(number) else { return }
    signal(number, SIG_DFL)
    raise(number)
  }

  private enum Stage: UInt8, AtomicRepresentable {
    /// Nothing is to be done in time.
    case idle
    /// A first Ctrl-C waits to be heard of.
    case patient
    /// Scripts have a second; then they are stopped.
    case bound
    /// So has the program.
    case last
  }

  private static let stage = Atomic(Stage.idle)
  /// The signal that came last; 0 for none.
  private static let came = Atomic<Int32>(0)
  // Unsafe, because the handlers of signals read them; they are set before those are installed.
  nonisolated(unsafe) private static var noted: Int32 = -1
  nonisolated(unsafe) private static var notes: Int32 = -1

  /// Runs as a signal's handler.
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

  /// Runs as a signal's handler.
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
      // Delivered when this returns, at the latest.
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

  // MARK: What is left behind

  /// Takes a file away when a signal ends the program.
  static func remove(_ path: String) {
    leftover = strdup(path)
    var endings = [SIGQUIT, SIGSEGV, SIGABRT, SIGILL, SIGBUS, SIGFPE, SIGTRAP, SIGSYS]
    // An orderly end does it then.
    if notes < 0 { endings += [SIGTERM, SIGHUP] }
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
