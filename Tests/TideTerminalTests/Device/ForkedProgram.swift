import Glibc

/// A program that runs in a copy of the test's process, with a terminal as its own: it may crash.
///
/// The body runs after a fork, where other threads are gone: it may only make C calls.
struct ForkedProgram {
  private let process: pid_t
  let terminal: PseudoTerminal

  private typealias Fork = @convention(c) () -> pid_t

  init(on terminal: PseudoTerminal, _ body: () -> Void) throws {
    // Swift hides `fork`, for good reasons.
    guard let symbol = dlsym(nil, "fork") else { throw PseudoTerminal.Failure(reason: "no fork") }
    let fork = unsafeBitCast(symbol, to: Fork.self)
    self.terminal = terminal
    process = fork()
    if process == 0 {
      setsid()
      // The pool's threads, which run tests, block most signals.
      var none = sigset_t()
      sigemptyset(&none)
      sigprocmask(SIG_SETMASK, &none, nil)
      _ = ioctl(terminal.slave, UInt(TIOCSCTTY), 0)
      // A crash is what is tested: no core, no report.
      var noCore = rlimit(rlim_cur: 0, rlim_max: 0)
      setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &noCore)
      for number in [SIGSEGV, SIGABRT, SIGILL, SIGBUS, SIGFPE, SIGTRAP] { signal(number, SIG_DFL) }
      // What the test's process registered for its own exit, such as a leak check, must not run.
      on_exit({ status, _ in _exit(status) }, nil)
      body()
      _exit(99)
    }
  }

  func send(_ number: Int32) { kill(process, number) }

  enum Ending: Equatable {
    case exited(Int32)
    case signalled(Int32)
    case stopped(Int32)
    case timedOut
  }

  /// Waits until it ends or stops, up to five seconds, and gives what it wrote meanwhile.
  func wait() -> (ending: Ending, output: [UInt8]) {
    var output: [UInt8] = []
    for _ in 0..<500 {
      output += terminal.output(wait: 10)
      var status: Int32 = 0
      guard waitpid(process, &status, WNOHANG | WUNTRACED) == process else { continue }
      output += terminal.output()
      let number = status & 0x7f
      if status & 0xff == 0x7f { return (.stopped(status >> 8 & 0xff), output) }
      return (number == 0 ? .exited(status >> 8 & 0xff) : .signalled(number), output)
    }
    kill(process, SIGKILL)
    waitpid(process, nil, 0)
    return (.timedOut, output)
  }
}
